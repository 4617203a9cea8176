// What the spellings of a tree share, in normal form and in TeX: which operators bind how tightly, and binders
// together.
#pragma once

#include <span>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// How tightly a node's own spelling holds together; the same order as in the reading.
namespace level {
enum Level {
  any = 0,
  implication = 1,
  disjunction,
  conjunction,
  negation,
  relation,
  sum,
  product,
  sign,
  power,
  postfix
};
}  // namespace level

/// The binders in their order, neighbours with one quantifier together: "forall x, y: exists z:".
inline std::vector<std::span<const Binder>> binders_together(const Statement& statement) {
  const std::span<const Binder> all = statement.binders;
  std::vector<std::span<const Binder>> groups;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].quantifier == all[begin].quantifier) ++end;
    groups.push_back(all.subspan(begin, end - begin));
  }
  return groups;
}

}  // namespace attest::language
