// attest report: rebuilds the report from stored results.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `report` to `app` and its action.
void add_report(CLI::App& app, int& exit_code);

}  // namespace attest::commands
