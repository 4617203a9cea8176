#include "theorems/referee/search/local_box.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace attest::referee {

search::Problem local_box(const Landscape& landscape, const Bounds& bounds, const std::vector<double>& start,
                          int rotation) {
  search::Problem problem;
  problem.lower = bounds.lower;
  problem.upper = bounds.upper;
  const double reach = rotation % 3 == 2 ? 100 : 4;
  for (const language::RawInput& input : landscape.program().inputs()) {
    const auto size = static_cast<std::size_t>(input.raw.size());
    double magnitude = 0;
    for (std::size_t k = 0; k < size; ++k) magnitude = std::max(magnitude, std::abs(start[input.offset + k]));
    const double radius = reach * (magnitude > 0 ? magnitude : 1);
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = input.offset + k;
      if (input.random || input.whole) {
        problem.lower[i] = problem.upper[i] = start[i];
      } else {
        const bool far = std::abs(start[i]) > largest_magnitude;
        const bool below = far && !std::isfinite(input.lower[k]), above = far && !std::isfinite(input.upper[k]);
        problem.lower[i] = below ? start[i] - radius : std::max(problem.lower[i], start[i] - radius);
        problem.upper[i] = above ? start[i] + radius : std::min(problem.upper[i], start[i] + radius);
      }
    }
  }
  if (landscape.asked()) {
    const std::size_t c = landscape.asked()->coordinate;
    problem.lower[c] = problem.upper[c] = start[c];
  }
  return problem;
}

std::vector<std::size_t> positive_numbers(const Landscape& landscape, const Bounds& bounds) {
  std::vector<std::size_t> positive;
  for (const language::RawInput& input : landscape.program().inputs()) {
    if (input.random || input.whole) continue;
    for (std::size_t i = input.offset; i < input.offset + static_cast<std::size_t>(input.raw.size()); ++i) {
      const bool asked = landscape.asked() && landscape.asked()->coordinate == i;
      if (!asked && bounds.lower[i] >= 0 && bounds.upper[i] > 100 * bounds.lower[i]) positive.push_back(i);
    }
  }
  return positive;
}

search::Problem in_logarithms(const search::Problem& problem, const std::vector<std::size_t>& positive) {
  search::Problem result;
  result.lower = problem.lower;
  result.upper = problem.upper;
  for (const std::size_t i : positive) {
    result.lower[i] = std::log(std::max(problem.lower[i], 1e-6 * std::min(1.0, problem.upper[i])));
    result.upper[i] = std::log(problem.upper[i]);
  }
  const auto back = [problem, positive](std::span<const double> x) {
    return from_logarithms(problem, positive, {x.begin(), x.end()});
  };
  result.slack = [problem, back](std::span<const double> x) { return problem.slack(back(x)); };
  if (problem.gradient)
    result.gradient = [problem, positive, back](std::span<const double> x, std::span<double> out) {
      const std::vector<double> point = back(x);
      problem.gradient(point, out);
      for (const std::size_t i : positive) out[i] *= point[i];
    };
  return result;
}

std::vector<double> from_logarithms(const search::Problem& problem, const std::vector<std::size_t>& positive,
                                    std::vector<double> point) {
  for (const std::size_t i : positive) point[i] = std::clamp(std::exp(point[i]), problem.lower[i], problem.upper[i]);
  return point;
}

}  // namespace attest::referee
