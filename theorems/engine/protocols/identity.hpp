// Identities: residuals relative to the size of the terms, in double and in ball arithmetic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::engine {

/// Components of both sides in double precision. `scale` is the size of the largest terms that were added to make them
/// (so that cancellation is not called falsity); where it is 0, max(|lhs|, |rhs|) is taken. NaN: assumptions not met.
struct IdentitySides {
  std::vector<double> lhs, rhs;
  double scale = 0;
};

/// Components of both sides as enclosures.
struct IdentityBallSides {
  std::vector<rigor::Ball> lhs, rhs;
  bool assumptions_hold = true;
  double scale = 0;  ///< as in `IdentitySides`; 0: that of the doubles
};

/// `lhs = rhs` at every admissible point of a box; the box, `decode` and the independence of the two evaluations are as
/// in InequalityProblem. `rounding_bound` is the relative error that rounding can cause in `sides`, derived by the
/// caller (for a sum of m terms: m times the unit roundoff, times the condition of what follows).
struct IdentityProblem {
  std::vector<double> lower, upper;
  Decode decode;
  std::function<IdentitySides(const Inputs&)> sides;
  std::function<IdentityBallSides(const Inputs&)> ball_sides;
  double rounding_bound = 0;
  std::vector<std::vector<double>> corners = {};
  /// Why two sides that are bit-identical everywhere are a test nevertheless (an exact rewriting); empty: an error.
  std::string exact_rewriting = {};
  double evaluations = 2000;  ///< in double precision, at the quick budget
  double ball_points = 40;    ///< in ball arithmetic, at the quick budget, beside the corners and the worst point
};

/// The check of an identity. The corners, the point of the largest double residual and random points are evaluated in
/// ball arithmetic, in this order; a component whose balls are disjoint refutes the identity, and the first point with
/// half of the largest relative difference becomes the witness.
Check identity(IdentityProblem problem);

}  // namespace attest::engine
