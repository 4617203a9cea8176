// The two sides of a statement at a point, in double and in ball arithmetic, and what the balls decide.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/evidence.hpp"
#include "theorems/engine/inputs.hpp"
#include "theorems/engine/witness.hpp"

namespace attest::engine {

/// Both sides in double precision. NaN in either says that the assumptions do not hold at the point.
struct Sides {
  double lhs = 0;
  double rhs = 0;
  double scale = 0;  ///< size of the terms that make the sides; 0: max(|lhs|, |rhs|)
};

/// Both sides as enclosures of the exact values at exactly the stored inputs.
/// `assumptions_hold` is true only when every assumption of the statement certainly holds there.
struct BallSides {
  rigor::Ball lhs;
  rigor::Ball rhs;
  bool assumptions_hold = true;
  double scale = 0;  ///< as in `Sides`
};

using Decode = std::function<Inputs(std::span<const double>)>;
using EvaluateSides = std::function<Sides(const Inputs&)>;
using EvaluateBallSides = std::function<BallSides(const Inputs&)>;

/// (rhs - lhs) / scale, where scale is the declared size of the terms or max(|lhs|, |rhs|) without one, negated for >=
/// and >, so that a negative slack is a violation; 0 when both sides are 0; NaN when either side is NaN. For `equal` it
/// is minus the absolute value. An infinite side counts as NaN: a statement about reals is not tested by an overflow.
double relative_slack(Relation relation, const Sides& sides);

/// By how much the relation is violated: minus the relative slack, and the gap of the two sides, between midpoints.
/// Both are 0 where it is not.
struct Violation {
  double relative = 0;
  double absolute = 0;
};
Violation violation(Relation relation, const BallSides& sides);

/// Whether a shortened counterexample is as convincing as the one found: at least half of its relative violation, and
/// of its gap at least a quarter, so that it stays at its natural scale.
bool convinces(const Violation& shortened, const Violation& found);

/// Whether both sides, evaluated with more bits than that, are the same number to `attained_bits` bits of the scale.
bool attained(const EvaluateBallSides& evaluate, const Inputs& inputs);

/// True when lower <= x <= upper in every coordinate.
bool in_box(std::span<const double> x, std::span<const double> lower, std::span<const double> upper);

enum class BallDecision { violated, holds, tie, assumptions_fail };

/// What ball arithmetic says of `lhs relation rhs` at `inputs`: first at 128 bits, then at 512 when the balls leave it
/// open. `tie`: open at 512 bits too, which is what equality looks like. Only a strict violation is `violated`; a
/// strict relation is violated by equality only when both enclosures are exact.
struct BallVerdict {
  BallDecision decision = BallDecision::tie;
  std::string lhs, rhs, margin;
  int precision_bits = 0;
};
BallVerdict decide(Relation relation, const EvaluateBallSides& evaluate, const Inputs& inputs);

/// The witness at `inputs` with the outcome of `decide` written into it.
Witness make_witness(const Inputs& inputs, Relation relation, const BallVerdict& verdict);

/// Evaluates a stored deterministic witness again. `confirmed` is true when the violation (or, with `establishes`, the
/// claimed relation itself) is certain. Errors: std::invalid_argument when an input is missing or has the wrong length.
Replay replay_sides(const Witness& witness, Relation relation, const EvaluateBallSides& evaluate, bool establishes);

}  // namespace attest::engine
