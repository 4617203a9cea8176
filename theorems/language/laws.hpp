// The laws of random variables of the language: random g ~ normal(0, 1)^n.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest::language {

/// One law.
struct LawRule {
  std::string_view name;                          ///< as in the normal form and in the tree
  std::vector<std::string_view> parameters = {};  ///< all must be given
  std::vector<std::string_view> aliases = {};     ///< other spellings, read as `name`
};

/// normal(mean, deviation), uniform(a, b), rademacher(), ...
std::span<const LawRule> laws();

/// The law of that name or alias; nullptr where there is none.
const LawRule* find_law(std::string_view name_or_alias);

/// All names and aliases, for suggestions.
std::vector<std::string> law_names();

}  // namespace attest::language
