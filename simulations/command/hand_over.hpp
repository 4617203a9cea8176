// attest train and attest measure --checkpoint hand over to programs that have LibTorch. They are programs of their own
// because loading LibTorch takes longer than most verbs run, and because this one must build and run where it is
// missing.
#pragma once

#include <string>
#include <vector>

namespace attest::commands {

/// Replaces this process by the program `name`, which lies beside this one, with `arguments`. Returns only by an error:
/// std::runtime_error in one sentence, naming what to install when this build has no LibTorch.
int hand_over(const char* name, const std::vector<std::string>& arguments);

}  // namespace attest::commands
