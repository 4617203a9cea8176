// How the left side of a statement is claimed to stand to its right side.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace attest::rigor {

enum class Relation : std::uint8_t { equal, less_equal, less, greater_equal, greater };

/// As statements, records and the language write them.
inline constexpr auto relation_symbols = std::to_array<std::pair<Relation, std::string_view>>({
    {Relation::equal, "="},
    {Relation::less_equal, "<="},
    {Relation::less, "<"},
    {Relation::greater_equal, ">="},
    {Relation::greater, ">"},
});

/// "=", "<=", "<", ">=", ">".
constexpr std::string_view symbol(Relation relation) {
  for (const auto& [each, text] : relation_symbols)
    if (each == relation) return text;
  return {};
}

/// Inverse of `symbol`. Errors: std::invalid_argument.
inline Relation relation_from_symbol(std::string_view word) {
  for (const auto& [relation, text] : relation_symbols)
    if (text == word) return relation;
  throw std::invalid_argument("unknown relation '" + std::string(word) + "': use =, <=, <, >= or >");
}

/// Whether equal sides violate it.
constexpr bool is_strict(Relation relation) { return relation == Relation::less || relation == Relation::greater; }

/// < or <=.
constexpr bool says_less(Relation relation) { return relation == Relation::less || relation == Relation::less_equal; }

/// > or >=.
constexpr bool says_greater(Relation relation) {
  return relation == Relation::greater || relation == Relation::greater_equal;
}

/// What holds of two numbers exactly where `relation` does not. Errors: std::invalid_argument of equality, which is
/// denied by no single relation.
constexpr Relation denied(Relation relation) {
  switch (relation) {
    case Relation::less_equal:
      return Relation::greater;
    case Relation::less:
      return Relation::greater_equal;
    case Relation::greater_equal:
      return Relation::less;
    case Relation::greater:
      return Relation::less_equal;
    case Relation::equal:
      break;
  }
  throw std::invalid_argument("no single relation denies equality");
}

}  // namespace attest::rigor
