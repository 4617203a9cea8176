// attest explain: one statement in full.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `explain` to `app` and its action.
void add_explain(CLI::App& app, int& exit_code);

}  // namespace attest::commands
