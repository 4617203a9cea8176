// The sets that are called by name: simplex(n), ball(n, R), stochastic(m, n), ...
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// A set with its parameters, all of which must be given.
struct SetRule {
  std::string_view name;
  SetKind kind;
  std::vector<std::string_view> parameters;
};

/// All but R, intervals, ranges and finite sets, which have a notation of their own.
std::span<const SetRule> named_sets();
/// nullptr where there is none of that name.
const SetRule* find_set(std::string_view name);
/// Precondition: the set is called by name.
const SetRule& set_rule(SetKind kind);

}  // namespace attest::language
