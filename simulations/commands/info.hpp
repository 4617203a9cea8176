// attest info: version, compiler, components, devices.
#pragma once

#include <CLI/App.hpp>

namespace attest::commands {

/// Adds the options of `info` to `app` and its action.
void add_info(CLI::App& app, int& exit_code);

}  // namespace attest::commands
