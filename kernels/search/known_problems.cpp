#include "kernels/search/known_problems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace attest::search {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Problem box(std::size_t d, double lower, double upper) {
  return Problem{.lower = std::vector<double>(d, lower), .upper = std::vector<double>(d, upper), .slack = {}};
}

/// Fractional parts of multiples of the golden ratio: a place that no corner or grid hits.
double irregular(std::size_t i) {
  const double golden = 0.6180339887498949;
  const double multiple = golden * static_cast<double>(i + 1);
  return multiple - std::floor(multiple);
}

double norm(std::span<const double> v, double p) {
  double total = 0;
  for (const double component : v) {
    if (p == 1) {
      total += std::abs(component);
    } else if (p == 2) {
      total += component * component;
    } else {
      total = std::max(total, std::abs(component));
    }
  }
  return p == 2 ? std::sqrt(total) : total;
}

std::vector<double> softmax(std::span<const double> x) {
  const double largest = *std::max_element(x.begin(), x.end());
  std::vector<double> weights(x.size());
  std::transform(x.begin(), x.end(), weights.begin(), [&](double logit) { return std::exp(logit - largest); });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

}  // namespace

KnownProblem softmax_half_lipschitz(double p, std::size_t n) {
  if (p != 1 && p != 2 && p != infinity)
    throw std::invalid_argument("softmax_half_lipschitz: p must be 1, 2 or infinity");
  if (n < 2) throw std::invalid_argument("softmax_half_lipschitz: n must be at least 2");
  Problem problem = box(2 * n, -20, 20);
  problem.slack = [p, n](std::span<const double> pair) {
    constexpr double nearest = 1e-3;
    std::vector<double> step(n);
    for (std::size_t i = 0; i < n; ++i) step[i] = pair[i] - pair[n + i];
    const double distance = norm(step, p);
    if (!(distance >= nearest)) return nan;
    const std::vector<double> at_x = softmax(pair.first(n));
    const std::vector<double> at_y = softmax(pair.last(n));
    for (std::size_t i = 0; i < n; ++i) step[i] = at_x[i] - at_y[i];
    return 0.5 - norm(step, p) / distance;
  };
  const std::string order = p == infinity ? "infinity" : std::to_string(static_cast<int>(p));
  return {"softmax is 1/2-Lipschitz in l^" + order + ", n = " + std::to_string(n), problem, 0};
}

KnownProblem rosenbrock_valley(std::size_t d) {
  Problem problem = box(d, -5, 5);
  problem.slack = [](std::span<const double> x) {
    double total = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double across = x[i + 1] - x[i] * x[i];
      const double along = 1 - x[i];
      total += 100 * across * across + along * along;
    }
    return total;
  };
  return {"Rosenbrock's valley, d = " + std::to_string(d), problem, 0};
}

KnownProblem needle(std::size_t d, double width) {
  Problem problem = box(d, 0, 1);
  problem.slack = [width](std::span<const double> x) {
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - irregular(i)) * (x[i] - irregular(i));
    return -std::expm1(-squares / (2 * width * width));
  };
  return {"needle, d = " + std::to_string(d), problem, 0};
}

KnownProblem absolute_deviation(std::size_t d) {
  Problem problem = box(d, -1, 1);
  problem.slack = [](std::span<const double> x) {
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += std::abs(x[i] - (2 * irregular(i) - 1));
    return total / static_cast<double>(x.size());
  };
  return {"absolute deviation, d = " + std::to_string(d), problem, 0};
}

KnownProblem half_admissible(std::size_t d) {
  if (d < 2) throw std::invalid_argument("half_admissible: d must be at least 2");
  Problem problem = box(d, -1, 1);
  problem.slack = [](std::span<const double> x) {
    if (x[0] < 0) return nan;
    if (x[1] > 0.5) return infinity;
    return norm(x, 2);
  };
  return {"half of the box inadmissible, d = " + std::to_string(d), problem, 0};
}

}  // namespace attest::search
