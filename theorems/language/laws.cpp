#include "theorems/language/laws.hpp"

#include <algorithm>

namespace attest::language {
namespace {

const std::vector<LawRule>& table() {
  static const std::vector<LawRule> all = {
      {"normal", {"mean", "deviation"}, {"gaussian"}},
      {"uniform", {"a", "b"}},
      {"rademacher"},
      {"bernoulli", {"p"}},
      {"exponential", {"rate"}},
      {"laplace", {"mean", "scale"}},
      {"student", {"nu"}, {"student_t"}},
      {"chi_squared", {"k"}},
      {"lognormal", {"mean", "deviation"}},
      {"cauchy", {"location", "scale"}},
      {"poisson", {"rate"}},
  };
  return all;
}

}  // namespace

std::span<const LawRule> laws() { return table(); }

const LawRule* find_law(std::string_view name_or_alias) {
  for (const LawRule& law : table())
    if (law.name == name_or_alias || std::ranges::find(law.aliases, name_or_alias) != law.aliases.end()) return &law;
  return nullptr;
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawRule& law : table()) {
    names.emplace_back(law.name);
    names.insert(names.end(), law.aliases.begin(), law.aliases.end());
  }
  return names;
}

}  // namespace attest::language
