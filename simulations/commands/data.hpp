// attest data: what data sets are there, and what a file holds.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the verbs `list` and `describe` of `data` to `app` and their actions.
void add_data(CLI::App& app, int& exit_code);

}  // namespace attest::commands
