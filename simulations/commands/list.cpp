#include "simulations/commands/list.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/record.hpp"

namespace attest::commands {
namespace {

void print_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& claim : engine::all_claims()) list.push_back(engine::statement_to_json(claim));
  fmt::print("{}\n", list.dump(1));
}

void print_table() {
  for (const auto& claim : engine::all_claims()) {
    const engine::Statement& s = claim.statement;
    fmt::print("{:52} {:22} {}{}: {}\n", s.id, engine::name(s.kind), s.printed ? "" : "(ours) ", s.label, s.title);
  }
  fmt::print("{} statements; attest explain ID shows one in full\n", engine::all_claims().size());
}

}  // namespace

int list(bool json) {
  if (json) {
    print_json();
  } else {
    print_table();
  }
  return exit_as_recorded;
}

}  // namespace attest::commands
