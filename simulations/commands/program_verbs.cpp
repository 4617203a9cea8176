#include <memory>
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
  const auto json = std::make_shared<bool>(false);
  verb.add_flag("--json", *json, "machine-readable");
  verb.callback([json, &chosen] { chosen = [json] { return info(*json); }; });
}

void add_completion(CLI::App& verb, Chosen& chosen) {
  const auto shell = std::make_shared<std::string>();
  verb.add_option("shell", *shell, "bash, zsh or fish")->required();
  verb.callback([&verb, &chosen, shell] {
    chosen = [&verb, shell] {
      fmt::print("{}", completion_script(*verb.get_parent(), *shell));
      return terminal::exit_success;
    };
  });
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
