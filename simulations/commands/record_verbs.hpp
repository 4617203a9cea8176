// The verbs that look at statements and at what a run recorded: list, explain, replay, report, compare.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace attest::commands {

/// Adds the verbs to `app`. When the command line chooses one, `chosen` becomes what runs it and returns the exit code.
void add_record_verbs(CLI::App& app, std::function<int()>& chosen);

}  // namespace attest::commands
