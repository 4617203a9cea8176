// attest manual: the manual page.
#include <fmt/format.h>

#include "simulations/command/shell_support.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/build_facts.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

void add_manual(CLI::App& verb, Chosen& chosen) {
  verb.callback([&verb, &chosen] {
    chosen = [&verb] {
      fmt::print("{}", manual_page(*verb.get_parent(), terminal::version));
      return terminal::exit_success;
    };
  });
}

}  // namespace

Verb manual_verb() { return {"manual", "print the manual page, for man -l", add_manual}; }

}  // namespace attest::commands::definitions
