// Problems in one number x of an interval, for tests of the engine.
#pragma once

#include <utility>

#include "theorems/engine/protocols/inequality.hpp"

namespace attest::engine {

/// A problem (of any protocol that searches a box) whose one input is x in [lower, upper].
template <class Problem>
Problem of_one_number(double lower, double upper) {
  Problem p;
  p.lower = {lower};
  p.upper = {upper};
  p.decode = [](std::span<const double> x) { return Inputs{{"x", {x[0]}}}; };
  return p;
}

/// left(x) <= right(x), in doubles and in balls.
template <class Left, class Right>
InequalityProblem below(Left left, Right right, double lower = 0, double upper = 1) {
  auto p = of_one_number<InequalityProblem>(lower, upper);
  p.sides = [left, right](const Inputs& in) {
    const double x = in.scalar("x");
    return Sides{left(x), right(x)};
  };
  p.ball_sides = [left, right](const Inputs& in) {
    const rigor::Ball x(in.scalar("x"));
    return BallSides{left(x), right(x)};
  };
  p.evaluations = 500;
  return p;
}

/// x (1 - x) <= bound on [0, 1], true from 1/4 on.
inline Check parabola_below(double bound) {
  return inequality(below([](auto x) { return x * (1 - x); }, [bound](auto x) { return decltype(x)(bound) + 0 * x; }));
}

}  // namespace attest::engine
