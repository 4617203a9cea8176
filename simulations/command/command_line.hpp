// The command line: verbs, options, help, and every failure as one sentence with the documented exit code.
#pragma once

#include <string>

namespace attest::commands {

/// The program `attest`. Returns the exit status (exit_codes.hpp).
int run_attest(int argc, char** argv);

/// The executable check_<family>: `attest check` restricted to one family of statements.
int run_family(const std::string& family, int argc, char** argv);

}  // namespace attest::commands
