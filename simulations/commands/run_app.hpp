// Parses a command line and turns every failure into one sentence and the documented exit code.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Parses argv with `app`, whose callbacks write `exit_code`, and returns the program's exit status: 2 for wrong usage
/// or bad input (std::invalid_argument), 3 for files and devices, else what the callbacks wrote.
int run_app(CLI::App& app, int argc, char** argv, int& exit_code);

}  // namespace attest::commands
