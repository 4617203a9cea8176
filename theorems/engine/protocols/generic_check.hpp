// Checks written once for doubles and balls: a generic function of the inputs gives both sides, the search runs on the
// doubles, and only the balls confirm.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"

namespace attest::engine {

/// Both sides of a statement; the search takes a point with `admissible` false as outside the assumptions.
template <class Real>
struct Pair {
  std::vector<Real> lhs, rhs;
  bool admissible = true;
  double scale = 0;  ///< size of the terms that make the sides; 0: that of the sides
};

/// Effort and hints of a check.
struct Search {
  double evaluations = 1000;                      ///< at the quick budget
  std::vector<std::vector<double>> corners = {};  ///< structured points
  double rounding_bound = 1e-11;                  ///< identities: see IdentityProblem
  double scale = 0;                               ///< size of the terms at every point, 0 for that of the sides
  std::string exact_rewriting = {};               ///< see IdentityProblem
};

/// `sides(inputs, Real(0))` returns Pair<Real> for Real = double and for Real = rigor::Ball; lhs = rhs is claimed.
template <class F>
Check generic_identity(const Layout& layout, F sides, Search search = {}) {
  IdentityProblem p;
  p.lower = layout.lower();
  p.upper = layout.upper();
  p.decode = layout.decode();
  p.sides = [sides, size = search.scale](const Inputs& in) -> IdentitySides {
    Pair<double> pair = sides(in, 0.0);
    if (!pair.admissible) pair.lhs.assign(pair.lhs.size(), std::numeric_limits<double>::quiet_NaN());
    return {std::move(pair.lhs), std::move(pair.rhs), pair.scale > 0 ? pair.scale : size};
  };
  p.ball_sides = [sides](const Inputs& in) -> IdentityBallSides {
    Pair<rigor::Ball> pair = sides(in, rigor::Ball(0));
    return {std::move(pair.lhs), std::move(pair.rhs), pair.admissible};
  };
  p.corners = std::move(search.corners);
  p.evaluations = search.evaluations;
  p.ball_points = 20;
  p.rounding_bound = search.rounding_bound;
  p.exact_rewriting = std::move(search.exact_rewriting);
  return identity(std::move(p));
}

}  // namespace attest::engine
