#include "kernels/svr/dual_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attest::svr {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

DualState::DualState(Problem& of) : problem(of), beta(of.targets.size(), 0.0), errors(of.targets) {}

double DualState::rising(std::size_t i) const {
  if (beta[i] >= problem.box) return -infinity;
  return beta[i] < 0 ? errors[i] + problem.epsilon : errors[i] - problem.epsilon;
}

double DualState::falling(std::size_t i) const {
  if (beta[i] <= -problem.box) return infinity;
  return beta[i] > 0 ? errors[i] - problem.epsilon : errors[i] + problem.epsilon;
}

double DualState::next_above(std::size_t i) const { return beta[i] < 0 ? 0.0 : problem.box; }

double DualState::next_below(std::size_t i) const { return beta[i] > 0 ? 0.0 : -problem.box; }

double DualState::bias() const {
  if (!problem.with_bias) return 0.0;
  double lower = -infinity;
  double upper = infinity;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    lower = std::max(lower, rising(i));
    upper = std::min(upper, falling(i));
  }
  // One side is empty only when every beta_i sits at the same bound, which the sum constraint excludes.
  return std::midpoint(lower, upper);
}

double DualState::residual(double b) const {
  double worst = 0.0;
  for (std::size_t i = 0; i < beta.size(); ++i) worst = std::max({worst, rising(i) - b, b - falling(i)});
  return worst;
}

double DualState::scale() {
  const std::size_t n = beta.size();
  std::vector<double> size(n);
  for (std::size_t i = 0; i < n; ++i) size[i] = std::abs(problem.targets[i]);
  for (std::size_t j = 0; j < n; ++j) {
    if (beta[j] == 0) continue;
    const auto column = problem.gram.column(j);
    for (std::size_t i = 0; i < n; ++i) size[i] += std::abs(column[i] * beta[j]);
  }
  return *std::max_element(size.begin(), size.end()) + problem.epsilon;
}

void DualState::refresh_errors() {
  const std::size_t n = beta.size();
  std::vector<long double> sum(problem.targets.begin(), problem.targets.end());
  for (std::size_t j = 0; j < n; ++j) {
    if (beta[j] == 0) continue;
    const auto column = problem.gram.column(j);
    for (std::size_t i = 0; i < n; ++i)
      sum[i] -= static_cast<long double>(column[i]) * static_cast<long double>(beta[j]);
  }
  for (std::size_t i = 0; i < n; ++i) errors[i] = static_cast<double>(sum[i]);
}

}  // namespace attest::svr
