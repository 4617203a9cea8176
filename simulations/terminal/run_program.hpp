// How a program ends: every failure as one sentence on standard error, with the documented exit status.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace attest::terminal {

/// Runs `body`, which parses the command line of `app` and does what it asks, and returns its exit status or, where it
/// throws, that of exit_codes.hpp: exit_usage for wrong usage, bad input or missing data, exit_io_or_device for all
/// else, such as standard output that does not take what was printed. Sentences begin with the app's name.
int run_program(CLI::App& app, const std::function<int()>& body);

}  // namespace attest::terminal
