#include "theorems/referee/proof/relations.hpp"

#include <algorithm>

namespace attest::referee {

using language::Formula;

bool is_strict_relation(const Formula& formula) {
  return formula.kind == Formula::Kind::relation && rigor::is_strict(formula.relation);
}

bool has_strict_relation(const Formula& formula) {
  return is_strict_relation(formula) || formula.kind == Formula::Kind::negation ||
         std::ranges::any_of(formula.parts, has_strict_relation);
}

bool has_equation(const Formula& formula) {
  return (formula.kind == Formula::Kind::relation && formula.relation == language::Relation::equal) ||
         std::ranges::any_of(formula.parts, has_equation);
}

}  // namespace attest::referee
