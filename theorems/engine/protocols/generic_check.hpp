// Checks written once for doubles and balls: a generic function of the inputs gives both sides, the search runs on the
// doubles, and only the balls confirm.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::engine {

/// `count` coordinates of one name, each in [lower, upper].
struct Block {
  std::string name;
  std::size_t count;
  double lower, upper;
};

/// A search box: named vectors in a row.
struct Domain {
  std::vector<double> lower, upper;
  Decode decode;
};
Domain domain(const std::vector<Block>& blocks);

/// The vector `name` of the inputs. Errors: std::invalid_argument when it does not have `count` elements.
std::span<const double> values(const Inputs& inputs, const std::string& name, std::size_t count);

/// Both sides of a statement; the search takes a point with `admissible` false as outside the assumptions.
template <class Real>
struct Pair {
  std::vector<Real> lhs, rhs;
  bool admissible = true;
};

/// Effort and hints of a check.
struct Search {
  double evaluations = 1000;                      ///< at the quick budget
  std::vector<std::vector<double>> corners = {};  ///< structured points
  double rounding_bound = 1e-11;                  ///< identities: see IdentityProblem
  double scale = 0;                               ///< identities: size of the terms, 0 for that of the sides
};

/// `sides(inputs, Real(0))` returns Pair<Real> for Real = double and for Real = rigor::Ball; lhs = rhs is claimed.
template <class F>
Check generic_identity(const std::vector<Block>& blocks, F sides, Search search = {}) {
  Domain box = domain(blocks);
  IdentityProblem p;
  p.lower = std::move(box.lower);
  p.upper = std::move(box.upper);
  p.decode = std::move(box.decode);
  p.sides = [sides, size = search.scale](const Inputs& in) -> IdentitySides {
    Pair<double> pair = sides(in, 0.0);
    if (!pair.admissible) pair.lhs.assign(pair.lhs.size(), std::numeric_limits<double>::quiet_NaN());
    return {std::move(pair.lhs), std::move(pair.rhs), size};
  };
  p.ball_sides = [sides](const Inputs& in) -> IdentityBallSides {
    Pair<rigor::Ball> pair = sides(in, rigor::Ball(0));
    return {std::move(pair.lhs), std::move(pair.rhs), pair.admissible};
  };
  p.corners = std::move(search.corners);
  p.evaluations = search.evaluations;
  p.ball_points = 20;
  p.rounding_bound = search.rounding_bound;
  return identity(std::move(p));
}

/// The same with one component a side and a relation between them.
template <class F>
InequalityProblem generic_problem(const std::vector<Block>& blocks, Relation relation, F sides, Search search = {}) {
  Domain box = domain(blocks);
  InequalityProblem p;
  p.relation = relation;
  p.lower = std::move(box.lower);
  p.upper = std::move(box.upper);
  p.decode = std::move(box.decode);
  p.sides = [sides](const Inputs& in) -> Sides {
    const Pair<double> pair = sides(in, 0.0);
    if (!pair.admissible) return {std::numeric_limits<double>::quiet_NaN(), 0};
    return {pair.lhs.at(0), pair.rhs.at(0)};
  };
  p.ball_sides = [sides](const Inputs& in) -> BallSides {
    const Pair<rigor::Ball> pair = sides(in, rigor::Ball(0));
    return {pair.lhs.at(0), pair.rhs.at(0), pair.admissible};
  };
  p.corners = std::move(search.corners);
  p.evaluations = search.evaluations;
  return p;
}

template <class F>
Check generic_inequality(const std::vector<Block>& blocks, Relation relation, F sides, Search search = {}) {
  return inequality(generic_problem(blocks, relation, sides, std::move(search)));
}

}  // namespace attest::engine
