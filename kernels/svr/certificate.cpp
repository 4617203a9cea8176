#include "kernels/svr/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/core.h>

#include "kernels/rigor/ball.hpp"

namespace attest::svr {
namespace {

using rigor::Ball;

// Index whose beta can best take up the rounding error of the sum: the one deepest inside (0, C) or (-C, 0); when all
// sit at 0 or at a bound, the first 0.
std::size_t index_to_repair(std::span<const double> beta, double box) {
  std::size_t best = 0;
  double best_room = -1.0;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    const double size = std::abs(beta[i]);
    double room = std::min(size, box - size);
    if (size == box) room = -0.5;
    if (room > best_room) {
      best_room = room;
      best = i;
    }
  }
  return best;
}

std::vector<Ball> feasible_point(std::span<const double> beta, double box, bool with_bias, double& repair) {
  std::vector<double> clipped(beta.begin(), beta.end());
  for (double& value : clipped) value = std::clamp(value, -box, box);
  std::vector<Ball> feasible(clipped.begin(), clipped.end());
  repair = 0.0;
  if (!with_bias) return feasible;
  // Kept as a ball: with a tiny beta beside a large one the exact sum may need more bits than the working precision.
  const std::size_t k = index_to_repair(clipped, box);
  Ball others;
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    if (i != k) others += feasible[i];
  }
  repair = rigor::abs(others + feasible[k]).upper();
  feasible[k] = -others;
  return feasible;
}

// Upper bound on the distance of r from the values that the optimality conditions allow for this beta.
Ball distance_to_allowed(const Ball& r, const Ball& beta, double epsilon, double box) {
  const Ball zero(0);
  if (beta.is_exact() && beta.contains_zero()) return rigor::max(rigor::abs(r) - epsilon, zero);
  if (!beta.is_positive() && !beta.is_negative()) return rigor::abs(r) + epsilon;  // sign unknown: covers every case
  const Ball excess = (beta.is_positive() ? r : -r) - epsilon;
  const bool at_bound = std::isfinite(box) && !rigor::certainly_less(rigor::abs(beta), Ball(box));
  return at_bound ? rigor::max(-excess, zero) : rigor::abs(excess);
}

}  // namespace

Certificate certify(std::span<const Ball> gram, std::span<const double> targets, double epsilon, double box,
                    bool with_bias, std::span<const double> beta, double bias) {
  const std::size_t n = targets.size();
  if (gram.size() != n * n || beta.size() != n) {
    throw std::invalid_argument(
        fmt::format("svr::certify: {} targets need {} kernel entries and {} betas, not {} and {}", n, n * n, n,
                    gram.size(), beta.size()));
  }
  Certificate certificate;
  const std::vector<Ball> point = feasible_point(beta, box, with_bias, certificate.repair);
  std::vector<Ball> residuals(n);
  Ball quadratic;
  Ball violation;
  for (std::size_t i = 0; i < n; ++i) {
    Ball predicted;
    for (std::size_t j = 0; j < n; ++j) predicted += gram[i * n + j] * point[j];
    quadratic += point[i] * predicted;
    residuals[i] = Ball(targets[i]) - predicted - (with_bias ? Ball(bias) : Ball(0));
    violation = rigor::max(violation, rigor::abs(residuals[i]) - epsilon);
    certificate.stationarity =
        std::max(certificate.stationarity, distance_to_allowed(residuals[i], point[i], epsilon, box).upper());
  }
  const bool hard = std::isinf(box);
  certificate.violation = hard ? violation.upper() : 0.0;
  const Ball tube = Ball(epsilon) + Ball(certificate.violation);
  Ball gap;
  Ball slack;
  Ball linear;
  for (std::size_t i = 0; i < n; ++i) {
    const Ball size = rigor::abs(point[i]);
    const Ball penalty = hard ? Ball(0) : Ball(box) * rigor::max(rigor::abs(residuals[i]) - tube, Ball(0));
    slack += penalty;
    linear += Ball(targets[i]) * point[i] - tube * size;
    gap += penalty + tube * size - point[i] * residuals[i];
  }
  certificate.gap = std::max(gap.upper(), 0.0);
  certificate.primal_upper = (quadratic / 2 + slack).upper();
  certificate.dual_lower = (linear - quadratic / 2).lower();
  return certificate;
}

Certificate certify(Problem& problem, const Solution& solution) {
  const std::size_t n = problem.targets.size();
  std::vector<Ball> gram;
  gram.reserve(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const double entry : problem.gram.column(i)) gram.emplace_back(entry);
  }
  return certify(gram, problem.targets, problem.epsilon, problem.box, problem.with_bias, solution.beta, solution.bias);
}

}  // namespace attest::svr
