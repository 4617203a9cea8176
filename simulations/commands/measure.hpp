// attest measure: the propositions' quantities on attention over real data.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `measure` to `app` and its action.
void add_measure(CLI::App& app, int& exit_code);

}  // namespace attest::commands
