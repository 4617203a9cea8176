// Relations between numbers, and the other signs that people type in two characters, as records, pages and TeX write
// them: one list.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace attest::reports {

/// A relation as a record spells it, as one sign, in TeX's mathematics, and as the sign of its opposite.
struct RelationSigns {
  std::string_view typed, sign, tex, opposite;
};

inline constexpr auto relations = std::to_array<RelationSigns>({{"=", "=", "=", "≠"},
                                                                {"<=", "≤", "\\le", ">"},
                                                                {"<", "<", "<", "≥"},
                                                                {">=", "≥", "\\ge", "<"},
                                                                {">", ">", ">", "≤"}});

/// The signs of a relation; null for another text.
constexpr const RelationSigns* relation_typed(std::string_view typed) {
  const auto* found =
      std::find_if(relations.begin(), relations.end(), [&](const RelationSigns& r) { return r.typed == typed; });
  return found == relations.end() ? nullptr : found;
}

/// The sign that two typed characters stand for in labels: "≤" for "<=", "→" for "->"; empty where they stand for
/// themselves.
constexpr std::string_view sign_typed(std::string_view two) {
  if (two == "->") return "→";
  if (two == "=>") return "⇒";
  if (two == "~=") return "≈";
  const RelationSigns* relation = two.size() == 2 ? relation_typed(two) : nullptr;
  return relation == nullptr ? std::string_view() : relation->sign;
}

}  // namespace attest::reports
