#include "theorems/engine/protocols/sides.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::engine {
namespace {

constexpr int first_precision = 128;
constexpr int second_precision = 512;
constexpr int printed_digits = 17;

BallDecision compare(Relation relation, const BallSides& sides) {
  if (!sides.assumptions_hold) return BallDecision::assumptions_fail;
  if (!sides.lhs.is_finite() || !sides.rhs.is_finite()) return BallDecision::tie;
  const rigor::Ball gap = sides.rhs - sides.lhs;
  switch (relation) {
    case Relation::equal:
      return gap.contains_zero() ? BallDecision::tie : BallDecision::violated;
    case Relation::less_equal:
      if (gap.is_negative()) return BallDecision::violated;
      return gap.is_nonnegative() ? BallDecision::holds : BallDecision::tie;
    case Relation::less:
      if ((-gap).is_nonnegative()) return BallDecision::violated;
      return gap.is_positive() ? BallDecision::holds : BallDecision::tie;
    case Relation::greater_equal:
      if (gap.is_positive()) return BallDecision::violated;
      return (-gap).is_nonnegative() ? BallDecision::holds : BallDecision::tie;
    case Relation::greater:
      if (gap.is_nonnegative()) return BallDecision::violated;
      return gap.is_negative() ? BallDecision::holds : BallDecision::tie;
  }
  return BallDecision::tie;
}

}  // namespace

double relative_slack(Relation relation, const Sides& sides) {
  if (!std::isfinite(sides.lhs) || !std::isfinite(sides.rhs)) return std::numeric_limits<double>::quiet_NaN();
  const double scale = sides.scale > 0 ? sides.scale : std::max(std::abs(sides.lhs), std::abs(sides.rhs));
  if (scale == 0) return 0;
  const double slack = sides.rhs / scale - sides.lhs / scale;
  if (says_less(relation)) return slack;
  // Of equal sides 0, where -slack would be reported as "-0".
  return 0 - (says_greater(relation) ? slack : std::abs(slack));
}

Violation violation(Relation relation, const BallSides& sides) {
  const double slack = relative_slack(relation, {sides.lhs.mid(), sides.rhs.mid(), sides.scale});
  if (!(slack < 0)) return {};
  return {-slack, std::abs(sides.rhs.mid() - sides.lhs.mid())};
}

bool convinces(const Violation& shortened, const Violation& found) {
  return shortened.relative >= found.relative / 2 && shortened.absolute >= found.absolute / 4;
}

bool attained(const EvaluateBallSides& evaluate, const Inputs& inputs) {
  constexpr int spare_bits = 140;  // lost to the operations of a side
  const rigor::PrecisionScope scope(attained_bits + spare_bits);
  const BallSides sides = evaluate(inputs);
  if (!sides.assumptions_hold || !sides.lhs.is_finite() || !sides.rhs.is_finite()) return false;
  const double gap = rigor::abs(sides.rhs - sides.lhs).upper();
  const double scale = sides.scale > 0 ? sides.scale : std::max(std::abs(sides.lhs.mid()), std::abs(sides.rhs.mid()));
  return gap <= std::ldexp(scale, -attained_bits);
}

bool in_box(std::span<const double> x, std::span<const double> lower, std::span<const double> upper) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] >= lower[i] && x[i] <= upper[i])) return false;
  return x.size() == lower.size() && x.size() == upper.size();
}

BallVerdict decide(Relation relation, const EvaluateBallSides& evaluate, const Inputs& inputs) {
  BallVerdict verdict;
  for (const int precision : {first_precision, second_precision}) {
    const rigor::PrecisionScope scope(precision);
    const BallSides sides = evaluate(inputs);
    verdict.decision = compare(relation, sides);
    verdict.lhs = sides.lhs.to_string(printed_digits);
    verdict.rhs = sides.rhs.to_string(printed_digits);
    verdict.margin = rigor::abs(sides.rhs - sides.lhs).to_string(printed_digits);
    verdict.precision_bits = precision;
    if (verdict.decision != BallDecision::tie) break;
  }
  return verdict;
}

Witness make_witness(const Inputs& inputs, Relation relation, const BallVerdict& verdict) {
  Witness witness;
  witness.kind = WitnessKind::deterministic;
  witness.inputs = inputs;
  witness.relation = relation;
  witness.lhs = verdict.lhs;
  witness.rhs = verdict.rhs;
  witness.margin = verdict.margin;
  witness.precision_bits = verdict.precision_bits;
  return witness;
}

Replay replay_sides(const Witness& witness, Relation relation, const EvaluateBallSides& evaluate, bool establishes) {
  const BallVerdict verdict = decide(relation, evaluate, witness.inputs);
  Replay replay;
  replay.lhs = verdict.lhs;
  replay.rhs = verdict.rhs;
  replay.margin = verdict.margin;
  replay.relation = relation;
  replay.precision_bits = verdict.precision_bits;
  replay.assumptions_hold = verdict.decision != BallDecision::assumptions_fail;
  replay.confirmed = verdict.decision == (establishes ? BallDecision::holds : BallDecision::violated);
  replay.how = "both sides enclosed in ball arithmetic at exactly the stored inputs";
  return replay;
}

}  // namespace attest::engine
