#include "reports/record/witness_sides.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "reports/text/numbers.hpp"
#include "reports/text/relations.hpp"

namespace attest::reports {
namespace {

/// The text with its numbers in `digits` digits; what is not a number or interval stays as it is.
std::string shortened(const std::string& side, int digits) {
  const bool bracketed = !side.empty() && side.front() == '[';
  const char* begin = side.c_str() + (bracketed ? 1 : 0);
  char* end = nullptr;
  const double first = std::strtod(begin, &end);
  if (end == begin) return side;
  const std::string_view rest(end);
  if (rest.empty() || (bracketed && rest.substr(0, 5) == " +/- ")) return readable_number(first, digits);
  if (!bracketed || rest.substr(0, 2) != ", ") return side;
  const char* second_begin = end + 2;
  const double second = std::strtod(second_begin, &end);
  if (end == second_begin) return side;
  return fmt::format("[{}, {}]", readable_number(first, digits), readable_number(second, digits));
}

}  // namespace

Sides readable_sides(const Witness& witness) {
  // Seventeen digits tell any two doubles apart; sides that agree to all of them are shown as they are stored.
  for (const int digits : {4, 6, 8, 12, 17}) {
    Sides sides{shortened(witness.left, digits), shortened(witness.right, digits)};
    if (sides.left != sides.right) return sides;
  }
  return {witness.left, witness.right};
}

std::string claimed_relation(const Witness& witness) {
  const RelationSigns* signs = relation_typed(witness.relation);
  return signs != nullptr ? std::string(signs->sign) : witness.relation;
}

std::string contradicted_relation(const Witness& witness) {
  const RelationSigns* signs = relation_typed(witness.relation);
  return signs != nullptr ? std::string(signs->opposite) : "≠";
}

}  // namespace attest::reports
