// attest list: what the suite judges.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `list` to `app` and its action.
void add_list(CLI::App& app, int& exit_code);

}  // namespace attest::commands
