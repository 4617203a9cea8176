// attest check: judges statements and writes what was found.
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `check` to `app` and its action; the exit code is written to `exit_code`. A non-empty `family`
/// restricts the run to that family's statements (the executables check_<family>).
void add_check(CLI::App& app, int& exit_code, const std::string& family = {});

}  // namespace attest::commands
