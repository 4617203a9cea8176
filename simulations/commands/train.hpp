// attest train: hands over to the program that has LibTorch.
#pragma once

#include <string>
#include <vector>

namespace attest::commands {

/// Replaces this process by attest_train, which lies beside this program, with `arguments`. Returns only by an error:
/// std::runtime_error in one sentence naming what to install when this build has no LibTorch.
int train(const std::vector<std::string>& arguments);

}  // namespace attest::commands
