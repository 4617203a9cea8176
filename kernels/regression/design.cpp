#include "kernels/regression/design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

#include "kernels/regression/regression_function.hpp"

namespace attest::regression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Coefficients of x^(a-1) (1-x)^(b-1) / B(a, b), lowest power first.
std::vector<double> beta_coefficients(int a, int b) {
  const auto first = static_cast<std::size_t>(a) - 1;
  std::vector<double> c(first + static_cast<std::size_t>(b), 0.0);
  double coefficient = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b));
  for (int j = 0; j <= b - 1; ++j) {
    c[first + static_cast<std::size_t>(j)] = coefficient;
    coefficient *= -static_cast<double>(b - 1 - j) / (j + 1);
  }
  return c;
}

/// The x in [0, 1] with P(x) = p for the increasing polynomial P with P(0) = 0, P(1) = 1, by bisection to the last bit.
double inverse_on_unit_interval(const RegressionFunction& distribution, double p) {
  double below = 0.0;
  double above = 1.0;
  while (true) {
    const double middle = (below + above) / 2;
    if (middle <= below || middle >= above) return middle;
    (distribution(middle) < p ? below : above) = middle;
  }
}

void require_quantile(const Design& design) {
  if (!design.quantile) {
    throw std::invalid_argument(fmt::format(
        "design {} is not a probability density: it has no quantile function to draw points from", design.name));
  }
}

}  // namespace

Design uniform_line() {
  return {"uniform_line", -infinity, infinity, [](double, int k) { return k == 0 ? 1.0 : 0.0; }, {}};
}

Design uniform_interval(double a, double b) {
  if (!(a < b)) throw std::invalid_argument(fmt::format("uniform_interval: a = {} must be below b = {}", a, b));
  return {fmt::format("uniform({},{})", a, b), a, b,
          [=](double x, int k) { return k == 0 && x >= a && x <= b ? 1.0 / (b - a) : 0.0; },
          [=](double p) { return a + (b - a) * p; }};
}

Design normal_design(double mean, double s) {
  const RegressionFunction shape = bump(s);  // refuses s <= 0
  return {fmt::format("normal({},{})", mean, s), -infinity, infinity,
          [=](double x, int k) { return shape.derivative(x - mean, k) / (s * std::sqrt(2 * std::numbers::pi)); },
          [=](double p) { return mean - s * std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }};
}

Design beta_design(int a, int b) {
  if (a < 1 || b < 1 || a + b > 12) {
    throw std::invalid_argument(
        fmt::format("beta_design: a = {} and b = {} must be at least 1 and sum to at most 12", a, b));
  }
  const std::vector<double> c = beta_coefficients(a, b);
  std::vector<double> integrated{0.0};
  for (std::size_t i = 0; i < c.size(); ++i) integrated.push_back(c[i] / static_cast<double>(i + 1));
  const RegressionFunction inside = polynomial(c);
  const RegressionFunction distribution = polynomial(integrated);
  return {fmt::format("beta({},{})", a, b), 0.0, 1.0,
          [=](double x, int k) { return x >= 0.0 && x <= 1.0 ? inside.derivative(x, k) : 0.0; },
          [=](double p) { return inverse_on_unit_interval(distribution, p); }};
}

Design exponential_line(double a) {
  const RegressionFunction shape = exponential(a);
  return {fmt::format("exponential_line({})", a), -infinity, infinity, shape.derivative, {}};
}

std::vector<double> fixed_grid(const Design& design, std::int64_t n) {
  require_quantile(design);
  if (n < 1) throw std::invalid_argument(fmt::format("fixed_grid: n = {} must be at least 1", n));
  std::vector<double> points(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    points[static_cast<std::size_t>(i)] = design.quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  }
  return points;
}

std::vector<double> random_points(const Design& design, std::span<const double> uniforms) {
  require_quantile(design);
  std::vector<double> points(uniforms.size());
  std::transform(uniforms.begin(), uniforms.end(), points.begin(), design.quantile);
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace attest::regression
