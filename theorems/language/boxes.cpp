#include "theorems/language/boxes.hpp"

#include <algorithm>

namespace attest::language {
namespace {

using rigor::Ball;

Ball middle(const Ball& x) {
  Ball result = x;
  mag_zero(arb_radref(result.raw()));
  return result;
}

/// An end of a ball as an exact number, rounded outwards.
Ball end_of(const Ball& x, bool upper) {
  Ball result;
  (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(arb_midref(result.raw()), x.raw(), rigor::working_precision());
  return result;
}

/// Both enclose the same numbers, so what they have in common does too.
Ball common(const Ball& a, const Ball& b) {
  if (!b.is_finite()) return a;
  if (!a.is_finite()) return b;
  Ball result;
  return arb_intersection(result.raw(), a.raw(), b.raw(), rigor::working_precision()) != 0 ? result : a;
}

Truth opposite(Truth t) { return t == Truth::open ? t : (t == Truth::holds ? Truth::fails : Truth::holds); }

}  // namespace

BoxEvaluator::BoxEvaluator(const Program& program) : natural_(program), elsewhere_(program) {}

void BoxEvaluator::run(std::span<const Ball> box, std::span<const Ball> expected) {
  box_.assign(box.begin(), box.end());
  expected_.assign(expected.begin(), expected.end());
  natural_.run(box_, expected_);
}

Ball BoxEvaluator::natural_difference(const BallEvaluator& at, const Formula& f, std::size_t k) const {
  const auto lhs = at.value(f.lhs), rhs = at.value(f.rhs);
  return lhs[lhs.size() == 1 ? 0 : k] - rhs[rhs.size() == 1 ? 0 : k];
}

Ball BoxEvaluator::difference(const Formula& f, std::size_t k) {
  Ball result = natural_difference(natural_, f, k);
  // Where a side is undefined at a point of the box, no theorem holds over it.
  if (!result.is_finite()) return result;
  std::vector<Ball> gradient(box_.size());
  natural_.gradient_of_difference(f.lhs, natural_.value(f.lhs).size() == 1 ? 0 : k, f.rhs,
                                  natural_.value(f.rhs).size() == 1 ? 0 : k, gradient);
  std::vector<Ball> centre, low = box_, high = box_;
  Ball spread;
  bool known = true, monotone = false;
  for (std::size_t i = 0; i < box_.size(); ++i) {
    centre.push_back(middle(box_[i]));
    if (box_[i].is_exact()) continue;
    known = known && gradient[i].is_finite();
    spread += gradient[i] * (box_[i] - centre[i]);
    const bool grows = gradient[i].is_nonnegative(), falls = gradient[i].is_nonpositive();
    if (!gradient[i].is_finite() || (!grows && !falls)) continue;
    monotone = true;
    low[i] = end_of(box_[i], !grows);
    high[i] = end_of(box_[i], grows);
  }
  if (known) {
    elsewhere_.run(centre, expected_);
    result = common(result, natural_difference(elsewhere_, f, k) + spread);
  }
  if (monotone) {
    elsewhere_.run(low, expected_);
    const Ball least = natural_difference(elsewhere_, f, k);
    elsewhere_.run(high, expected_);
    const Ball most = natural_difference(elsewhere_, f, k);
    if (least.is_finite() && most.is_finite())
      result = common(result, Ball::hull(end_of(least, false), end_of(most, true)));
  }
  return result;
}

Truth BoxEvaluator::decide(const Formula& f) {
  switch (f.kind) {
    case Formula::Kind::relation: {
      if (const Truth natural = language::decide(natural_, f); natural != Truth::open) return natural;
      const std::size_t n = std::max(natural_.value(f.lhs).size(), natural_.value(f.rhs).size());
      std::vector<Ball> differences;
      for (std::size_t k = 0; k < n; ++k) differences.push_back(difference(f, k));
      return decide_differences(f.relation, differences);
    }
    case Formula::Kind::order:
      return Truth::open;
    case Formula::Kind::negation:
      return opposite(decide(f.parts[0]));
    case Formula::Kind::implication: {
      const Truth refused = opposite(decide(f.parts[0])), concluded = decide(f.parts[1]);
      if (refused == Truth::holds || concluded == Truth::holds) return Truth::holds;
      return refused == Truth::fails && concluded == Truth::fails ? Truth::fails : Truth::open;
    }
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction:
      break;
  }
  const Truth settling = f.kind == Formula::Kind::conjunction ? Truth::fails : Truth::holds;
  bool open = false;
  for (const Formula& part : f.parts) {
    const Truth one = decide(part);
    if (one == settling) return settling;
    open = open || one == Truth::open;
  }
  return open ? Truth::open : opposite(settling);
}

}  // namespace attest::language
