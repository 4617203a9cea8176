#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "simulations/commands/info.hpp"
#include "simulations/commands/shell_support.hpp"
#include "simulations/commands/verb.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {
namespace {

void add_info(CLI::App& verb, Chosen& chosen) {
  bool& json = options_for<bool>(verb, chosen, info);
  verb.add_flag("--json", json, "machine-readable");
}

void add_completion(CLI::App& verb, Chosen& chosen) {
  std::string& shell = options_for<std::string>(verb, chosen, [&verb](const std::string& given) {
    fmt::print("{}", completion_script(*verb.get_parent(), given));
    return terminal::exit_success;
  });
  verb.add_option("shell", shell, "bash, zsh or fish")->required();
}

void add_manual(CLI::App& verb, Chosen& chosen) {
  verb.callback([&verb, &chosen] {
    chosen = [&verb] {
      fmt::print("{}", manual_page(*verb.get_parent(), terminal::version));
      return terminal::exit_success;
    };
  });
}

}  // namespace

std::vector<Verb> program_verbs() {
  return {{"info", "show version, compiler, components and devices", add_info},
          {"completion", "print the completion script of a shell", add_completion},
          {"manual", "print the manual page, for man -l", add_manual}};
}

}  // namespace attest::commands
