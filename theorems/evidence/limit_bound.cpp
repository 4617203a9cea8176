#include "theorems/evidence/limit_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "kernels/rigor/ball.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/points/sizes.hpp"

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
  if (bound.order) statement.claim = referee::make(Op::less_equal, statement.claim->args);
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
  constexpr double from = 1 << 20, further = 4 * from;
  const rigor::PrecisionScope precision(1024);
  Choices at = bound.others;
  at[name] = from;
  const auto [f, g] = sides_at(statement, at);
  at[name] = further;
  const auto [f_further, g_further] = sides_at(statement, at);
  const double least =
      bound.order ? (rigor::log(rigor::abs(f_further / g_further)) - rigor::log(rigor::abs(f / g))).mid() / std::log(4)
                  : std::min(std::abs((f - g).mid()), std::abs((f_further - g_further).mid()));
  bound.from = Rational::from_double(from);
  if (std::isfinite(least)) bound.least = bound.order ? at_most(least / 2) : Rational::from_double(least / 2);
  if (!(bound.least > Rational(0)))
    bound.why_not =
        bound.order ? "the ratio of the sides grows more slowly than n^(1/32)" : "the sides come together again";
  return bound;
}

}  // namespace attest::evidence
