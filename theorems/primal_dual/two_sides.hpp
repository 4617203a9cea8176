// Shorthand for the two evaluations of a statement that the engine's protocols ask for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::primal_dual {

/// Makes `layout` the box and the decoder of an identity or inequality problem.
template <class Problem>
void search_over(Problem& problem, const engine::Layout& layout) {
  problem.lower = layout.lower();
  problem.upper = layout.upper();
  problem.decode = layout.decode();
}

/// The double-precision evaluation made of the enclosures' midpoints: for sides whose difference is far below what
/// doubles resolve, such as two values of an objective near its optimum. The search then follows the true slack.
inline engine::EvaluateSides midpoints(engine::EvaluateBallSides balls) {
  return [balls = std::move(balls)](const engine::Inputs& inputs) -> engine::Sides {
    const engine::BallSides at = balls(inputs);
    if (!at.assumptions_hold) return {std::numeric_limits<double>::quiet_NaN(), 0};
    return {at.lhs.mid(), at.rhs.mid()};
  };
}

/// The same for identities.
inline std::function<engine::IdentitySides(const engine::Inputs&)> midpoints(
    std::function<engine::IdentityBallSides(const engine::Inputs&)> balls) {
  return [balls = std::move(balls)](const engine::Inputs& inputs) -> engine::IdentitySides {
    const engine::IdentityBallSides at = balls(inputs);
    if (!at.assumptions_hold) return {{std::numeric_limits<double>::quiet_NaN()}, {0}};
    engine::IdentitySides sides;
    for (const rigor::Ball& side : at.lhs) sides.lhs.push_back(side.mid());
    for (const rigor::Ball& side : at.rhs) sides.rhs.push_back(side.mid());
    return sides;
  };
}

/// Bits that evaluations at an optimum work with, at least: keys that nearly coincide make kernel matrices of condition
/// 1e20 and more, and as many digits are lost in the multipliers and again in the values made of them.
inline constexpr std::int64_t guarded_precision = 384;

/// The same enclosures from evaluations in `guarded_precision`.
template <class BallSides>
std::function<BallSides(const engine::Inputs&)> with_guard_bits(std::function<BallSides(const engine::Inputs&)> balls) {
  return [balls = std::move(balls)](const engine::Inputs& inputs) {
    const rigor::PrecisionScope scope(std::max(guarded_precision, rigor::working_precision()));
    return balls(inputs);
  };
}

/// The identity or inequality check of a problem whose enclosures are evaluated with guard bits; where the problem has
/// no evaluation in doubles, it gets the enclosures' midpoints.
template <class Problem>
engine::Check with_guard_bits(Problem problem, engine::Check (*protocol)(Problem)) {
  problem.ball_sides = with_guard_bits(std::move(problem.ball_sides));
  if (!problem.sides) problem.sides = midpoints(problem.ball_sides);
  return protocol(std::move(problem));
}
inline engine::Check guarded_identity(engine::IdentityProblem problem) {
  return with_guard_bits(std::move(problem), engine::identity);
}
inline engine::Check guarded_inequality(engine::InequalityProblem problem) {
  return with_guard_bits(std::move(problem), engine::inequality);
}

/// Rounding of an enclosure's midpoint to a double, on both sides.
inline constexpr double midpoint_rounding = 4 * 0x1p-53;

/// The check of an identity written once as `evaluate(inputs, Real{})`, which returns Pair<Real> for Real = double and
/// Ball. `scale` is the size of the terms on the whole box and `rounding_bound` what rounding makes of them.
template <class Evaluate>
engine::Check identity_of(const engine::Layout& layout, double scale, double rounding_bound, double evaluations,
                          Evaluate evaluate) {
  return engine::generic_identity(layout, std::move(evaluate),
                                  {.evaluations = evaluations, .rounding_bound = rounding_bound, .scale = scale});
}

}  // namespace attest::primal_dual
