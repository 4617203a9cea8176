#include "tests/theorems/engine/protocols/lipschitz_problem.hpp"

#include <cmath>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

double norm(double a, double b, double p) {
  if (std::isinf(p)) return std::max(std::abs(a), std::abs(b));
  return p == 1 ? std::abs(a) + std::abs(b) : std::hypot(a, b);
}

Ball norm(const Ball& a, const Ball& b, double p) {
  if (std::isinf(p)) return rigor::max(rigor::abs(a), rigor::abs(b));
  return p == 1 ? rigor::abs(a) + rigor::abs(b) : rigor::sqrt(a * a + b * b);
}

}  // namespace

InequalityProblem softmax_lipschitz(double p, double constant) {
  InequalityProblem problem;
  problem.lower = {-8, -8, -8, -8};
  problem.upper = {8, 8, 8, 8};
  problem.decode = [](std::span<const double> x) { return Inputs{{"x", {x[0], x[1]}}, {"y", {x[2], x[3]}}}; };
  problem.sides = [p, constant](const Inputs& in) {
    const auto x = in["x"];
    const auto y = in["y"];
    const double first = 1 / (1 + std::exp(x[1] - x[0]));
    const double second = 1 / (1 + std::exp(y[1] - y[0]));
    // Closer together, rounding dominates the ratio: the differences of the two softmax values keep too few digits.
    constexpr double nearest = 1e-3;
    if (std::max(std::abs(x[0] - y[0]), std::abs(x[1] - y[1])) < nearest) return Sides{std::nan(""), std::nan("")};
    return Sides{norm(first - second, second - first, p), constant * norm(x[0] - y[0], x[1] - y[1], p)};
  };
  problem.ball_sides = [p, constant](const Inputs& in) {
    const auto x = in["x"];
    const auto y = in["y"];
    const auto softmax = [](std::span<const double> z) {
      const Ball a = rigor::exp(Ball(z[0]));
      const Ball b = rigor::exp(Ball(z[1]));
      return std::pair(a / (a + b), b / (a + b));
    };
    const auto [x0, x1] = softmax(x);
    const auto [y0, y1] = softmax(y);
    return BallSides{norm(x0 - y0, x1 - y1, p), Ball(constant) * norm(Ball(x[0]) - y[0], Ball(x[1]) - y[1], p)};
  };
  return problem;
}

}  // namespace attest::engine
