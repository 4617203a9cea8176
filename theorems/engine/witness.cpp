#include "theorems/engine/witness.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace attest::engine {

std::string_view symbol(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "=";
    case Relation::less_equal:
      return "<=";
    case Relation::less:
      return "<";
    case Relation::greater_equal:
      return ">=";
    case Relation::greater:
      return ">";
  }
  throw std::logic_error("relation without a symbol");
}

Relation relation_from_symbol(std::string_view word) {
  for (const auto relation :
       {Relation::equal, Relation::less_equal, Relation::less, Relation::greater_equal, Relation::greater})
    if (symbol(relation) == word) return relation;
  throw std::invalid_argument(fmt::format("unknown relation '{}': use =, <=, <, >= or >", word));
}

}  // namespace attest::engine
