// Universal inequalities: adversarial search for a violation, confirmed in ball arithmetic.
#pragma once

#include <string>
#include <vector>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::engine {

/// `lhs relation rhs` for every admissible point of a box.
///
/// The search works on a flat vector x in [lower, upper]; `decode` turns it into the named inputs at which both sides
/// are evaluated and which a witness stores. `sides` is the fast evaluation that the search minimises; `ball_sides` is
/// an independent one, written from the paper's formula, that alone can confirm a violation.
struct InequalityProblem {
  Relation relation = Relation::less_equal;
  std::vector<double> lower, upper;
  Decode decode;
  EvaluateSides sides;
  EvaluateBallSides ball_sides;
  std::vector<std::vector<double>> corners = {};  ///< structured points x worth trying first
  /// Why two sides that are bit-identical everywhere are a test nevertheless (an exact rewriting); empty: an error.
  std::string exact_rewriting = {};
  double evaluations = 20000;  ///< at the quick budget
};

/// The check of an inequality problem. Several problems (dimensions, families) become a composite: see `composite.hpp`.
/// A confirmed witness is shrunk to short numbers before it is stored.
Check inequality(InequalityProblem problem);

/// The check of "there is a point with lhs relation rhs": the same search, with the roles turned; a point where the
/// relation certainly holds establishes the claim.
Check existence(InequalityProblem problem);

}  // namespace attest::engine
