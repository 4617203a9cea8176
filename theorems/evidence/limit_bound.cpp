#include "theorems/evidence/limit_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "kernels/rigor/ball.hpp"
#include "theorems/language/make.hpp"
#include "theorems/referee/points/chosen_variables.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::evidence {
namespace {

using language::Choices;
using language::Op;
using language::Statement;
using rigor::Ball;
using rigor::Rational;

/// Both sides at these choices.
std::pair<Ball, Ball> sides_at(const Statement& statement, const Choices& choices) {
  const language::Program program = language::compile(statement, choices);
  language::BallEvaluator balls(program);
  balls.run(std::vector<Ball>{});
  const language::Formula& claim = program.claim();
  return {balls.value(claim.lhs)[0], balls.value(claim.rhs)[0]};
}

/// The largest of 1, 63/64, ..., 1/64 that is not above `value`; 0 for none.
Rational at_most(double value) {
  return Rational(static_cast<std::int64_t>(std::floor(64 * std::clamp(value, 0.0, 1.0))), 64);
}

}  // namespace

LimitBound limit_bound(const Statement& original, const Choices& choices) {
  Statement statement = original;
  LimitBound bound;
  bound.order = original.claim->op == Op::order;
  if (bound.order) statement.claim = make(Op::less_equal, statement.claim->args);
  std::string name;
  double target = 0;
  std::erase_if(statement.binders, [&](const language::Binder& binder) {
    if (binder.quantifier != language::Quantifier::limit) return false;
    name = binder.names.front();
    target = referee::constant_value(original, binder.set.args.front(), {});
    return true;
  });
  if (name.empty() || target != std::numeric_limits<double>::infinity()) {
    bound.why_not = "the checker knows limits for n -> inf alone";
    return bound;
  }
  bound.others = choices;
  bound.others.erase(name);
  constexpr double from = 1 << 20, much_further = from * from;
  const rigor::PrecisionScope precision(1024);
  const auto sides = [&](double n) {
    Choices at = bound.others;
    at[name] = n;
    return sides_at(statement, at);
  };
  // The exponent of the ratio's growth between n and 4n, or the distance of the sides at both.
  const auto measured = [&](double n) {
    const auto [f, g] = sides(n);
    const auto [f_further, g_further] = sides(4 * n);
    return bound.order
               ? (rigor::log(rigor::abs(f_further / g_further)) - rigor::log(rigor::abs(f / g))).mid() / std::log(4)
               : std::min(std::abs((f - g).mid()), std::abs((f_further - g_further).mid()));
  };
  const double near = measured(from), far = measured(much_further);
  // A logarithm grows from 2^40 on at half the exponent that it has from 2^20 on.
  const double least = far < 0.75 * near ? 0 : std::min(near, far);
  bound.from = Rational::from_double(from);
  if (std::isfinite(least)) bound.least = bound.order ? at_most(least / 2) : Rational::from_double(least / 2);
  if (!(bound.least > Rational(0)))
    bound.why_not =
        bound.order ? "the ratio of the sides grows more slowly than a power" : "the sides come together again";
  return bound;
}

}  // namespace attest::evidence
