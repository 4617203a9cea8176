// A C function in a shared library as a target (attest_judge.h).
#pragma once

#include <string>

#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// A target whose library is loaded by a process of its own: this program, started again as `attest judge-library
/// FILE`. Errors, when called: std::invalid_argument in one sentence when the file is not a shared library or lacks the
/// function.
TargetMaker library_target(std::string file, double limit_seconds);

/// What that process does: greets and answers on file descriptor 3 until it is closed. Returns the exit code.
int serve_library(const std::string& file);

}  // namespace attest::judge
