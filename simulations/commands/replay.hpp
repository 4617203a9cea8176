// attest replay: evaluates a stored counterexample again.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `replay` to `app` and its action.
void add_replay(CLI::App& app, int& exit_code);

}  // namespace attest::commands
