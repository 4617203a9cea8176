// The Python programs that check our evidence, run by whichever python3 has what they need.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace attest::commands {

/// The first python3 that imports `modules` ("mpmath, numpy"). Errors: std::invalid_argument naming the packages where
/// none does.
std::string python_with(const std::string& modules, const std::string& packages);

/// The words that run `program`, a text of Python, after the texts that it imports by these names.
std::vector<std::string> python_command(const std::string& python,
                                        const std::vector<std::pair<std::string, std::string>>& modules,
                                        const std::string& program);

/// Exit status of the program with these arguments; -1 where it cannot be started. `quiet` keeps what it prints away.
/// When the user interrupts us (terminal/interrupt.hpp) the program gets SIGTERM, half a second later SIGKILL, and the
/// status is 130.
/// Errors: std::invalid_argument for too many arguments.
int status_of(std::vector<std::string> words, bool quiet);

}  // namespace attest::commands
