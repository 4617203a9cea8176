#include "kernels/regression/population.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace attest::regression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where the integrand over u must be split: the kernel's own scale and knots and the images of kinks and support ends.
std::vector<double> split_points(const Kernel& kernel, Form form, std::span<const double> kinks, double lower,
                                 double upper, double x, double h) {
  const double first = std::max(-kernel.radius(form), (x - upper) / h);
  const double last = std::min(kernel.radius(form), (x - lower) / h);
  std::vector<double> points{first, last};
  const auto add = [&](double u) {
    if (u > first && u < last) points.push_back(u);
  };
  for (const double knot : kernel.knots(form)) {
    add(knot);
    add(-knot);
  }
  // On the line the mass lies within a few units: without these splits the first rule sees only the tails.
  if (kernel.radius(form) == infinity) {
    for (const double u : {1.0, 2.0, 4.0, 8.0, 16.0}) {
      add(u);
      add(-u);
    }
  }
  for (const double kink : kinks) add((x - kink) / h);
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace

Integral convolve(const Kernel& kernel, Form form, const std::function<double(double)>& g,
                  std::span<const double> kinks, double lower, double upper, double x, double h) {
  if (!(h > 0.0)) throw std::invalid_argument(fmt::format("convolve: bandwidth h = {} must be positive", h));
  const auto points = split_points(kernel, form, kinks, lower, upper, x, h);
  // A product 0 * infinity far out, where an exponential g overflows after L has vanished, counts as 0.
  return integrate(
      [&](double u) {
        const double weight = kernel(form, u);
        return weight == 0.0 ? 0.0 : weight * g(x - h * u);
      },
      points);
}

Integral population_bias(const Kernel& kernel, Form form, const RegressionFunction& m, const Design& f, double x,
                         double h) {
  const double centre = m(x);
  const Integral above = convolve(
      kernel, form, [&](double t) { return (m(t) - centre) * f(t); }, m.kinks, f.lower, f.upper, x, h);
  const Integral below = convolve(
      kernel, form, [&](double t) { return f(t); }, {}, f.lower, f.upper, x, h);
  if (!(below.value > below.error)) {
    throw std::domain_error(fmt::format(
        "population_bias: the {} weights integrate to {} at x = {}, h = {}; the estimator needs a positive total",
        kernel.name(), below.value, x, h));
  }
  const double bias = above.value / below.value;
  return {bias, (above.error + std::abs(bias) * below.error) / (below.value - below.error)};
}

Integral twicing_roughness(const Kernel& kernel) {
  const auto points = split_points(kernel, Form::twiced, {}, -infinity, infinity, 0.0, 1.0);
  return integrate([&](double u) { return kernel.twicing(u) * kernel.twicing(u); }, points);
}

}  // namespace attest::regression
