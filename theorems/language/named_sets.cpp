#include "theorems/language/named_sets.hpp"

#include <algorithm>

namespace attest::language {
namespace {

const std::vector<SetRule>& table() {
  static const std::vector<SetRule> all = {
      {"simplex", SetKind::simplex, {"n"}},
      {"sphere", SetKind::sphere, {"n"}},
      {"ball", SetKind::ball, {"n", "R"}},
      {"stochastic", SetKind::stochastic, {"m", "n"}},
      {"orthogonal", SetKind::orthogonal, {"n"}},
      {"symmetric", SetKind::symmetric, {"n"}},
      {"psd", SetKind::psd, {"n"}},
      {"attention", SetKind::attention, {"n", "d"}},
  };
  return all;
}

}  // namespace

std::span<const SetRule> named_sets() { return table(); }

const SetRule* find_set(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &SetRule::name);
  return found == table().end() ? nullptr : &*found;
}

const SetRule& set_rule(SetKind kind) { return *std::ranges::find(table(), kind, &SetRule::kind); }

}  // namespace attest::language
