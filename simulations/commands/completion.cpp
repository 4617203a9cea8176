// attest completion: the completion script of a shell.
#include <string>

#include <fmt/format.h>

#include "simulations/command/shell_support.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

void add_completion(CLI::App& verb, Chosen& chosen) {
  auto& shell = options_for<std::string>(verb, chosen, [&verb](const std::string& given) {
    fmt::print("{}", completion_script(*verb.get_parent(), given));
    return terminal::exit_success;
  });
  verb.add_option("shell", shell, "bash, zsh or fish")->required();
}

}  // namespace

Verb completion_verb() { return {"completion", "print the completion script of a shell", add_completion}; }

}  // namespace attest::commands::definitions
