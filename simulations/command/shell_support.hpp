// Completion for shells and the manual page, from the description that --help prints.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace attest::commands {

/// A script that completes the verbs and options of `app`. `shell` is bash, zsh or fish.
/// Errors: std::invalid_argument for any other.
std::string completion_script(const CLI::App& app, const std::string& shell);

/// The manual page of `app` with all its verbs, as source for man(7). `of_version` stands in its foot.
std::string manual_page(const CLI::App& app, const std::string& of_version);

}  // namespace attest::commands
