// Certificates: interval branch and bound over a box, or full enumeration of finitely many cases.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::engine {

/// `margin(x) >= 0` for every x of the box: margin must enclose rhs - lhs on whole sub-boxes (its arguments are balls
/// of positive radius) as well as at points. A violating point is stored under the names `coordinates`.
struct BoxProblem {
  std::string domain;  ///< what the box stands for, in words; its coordinates and ranges are added by the protocol
  std::vector<std::string> coordinates;
  std::vector<double> lower, upper;
  std::function<rigor::Ball(std::span<const rigor::Ball>)> margin;
  double boxes = 20000;  ///< at the quick budget
};

/// The check of a box problem: certified when every sub-box is settled, refuted by a point, undecided otherwise.
Check certify_on_box(BoxProblem problem);

/// The check of "there is an x in the box with margin(x) < 0", by the same branch and bound: certified by a point,
/// refuted when margin >= 0 is settled on every sub-box, undecided otherwise.
Check exists_on_box(BoxProblem problem);

/// Finitely many cases, each decided in ball (or exact) arithmetic: `sides(case_inputs(i))` for i = 0 .. cases-1.
struct EnumerationProblem {
  std::string domain;      ///< what the cases are, in words; their inputs and values are added by the protocol
  std::int64_t cases = 0;  ///< does not grow with the budget: the domain is part of the claim
  Relation relation = Relation::equal;
  std::function<Inputs(std::int64_t)> case_inputs;
  EvaluateBallSides ball_sides;
};

/// The check of an enumeration: certified when every case is decided in favour; a case left open by 512-bit balls
/// counts as undecided, except for `equal`, where exact enclosures (radius 0) of the same number decide.
Check enumerate(EnumerationProblem problem);

}  // namespace attest::engine
