// How far a limit that was refuted stays from what is claimed, for the checker to verify.
#pragma once

#include <string>

#include "kernels/rigor/rational.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::evidence {

/// From `from` on the sides of the equation are `least` apart, or the ratio of the sides of f(n) = O(g(n)) grows at
/// least like n^least: measured in ball arithmetic at two places and halved, so not proven here. The checker proves it.
struct LimitBound {
  bool order = false;
  language::Choices others = {};  ///< the whole numbers beside the variable of the limit
  rigor::Rational from = 0, least = 0;
  std::string why_not = {};  ///< one sentence; empty where the numbers above are meant
};

/// Of `limit n -> inf: f(n) = c` or `f(n) = O(g(n))` at `choices`, which hold n, too.
LimitBound limit_bound(const language::Statement& statement, const language::Choices& choices);

}  // namespace attest::evidence
