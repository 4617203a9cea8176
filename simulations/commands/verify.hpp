// attest verify: evidence files checked by a program that shares no code with this one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::commands {

/// theorems/evidence/check_evidence.py as it stood when the program was built.
std::string_view evidence_checker();

struct VerifyOptions {
  std::vector<std::string> paths;  ///< evidence files, and directories that hold some
};

/// Runs the checker on the files, and on those in folders witnesses, certificates and evidence below the directories;
/// files of other formats there are counted, not checked. Prints the checker's lines. Returns its exit code: 0 all
/// verified, 1 one is not, 2 one is not an evidence file, 4 none failed but one is not supported. Errors:
/// std::invalid_argument for a path that is not there, a directory without evidence, and where no python3 with mpmath
/// is found.
int verify(const VerifyOptions& options);

}  // namespace attest::commands
