#include "kernels/statistics/regression.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::statistics {
namespace {

void require_points(const char* where, std::span<const RatePoint> points) {
  if (points.size() < 2)
    throw std::invalid_argument(fmt::format("{}: no rate follows from {} points", where, points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RatePoint& point = points[i];
    if (!(point.x > 0 && std::isfinite(point.x) && point.y.lower > 0 && point.y.lower <= point.y.upper &&
          std::isfinite(point.y.upper)))
      throw std::invalid_argument(fmt::format("{}: point {} (x = {}, y in [{}, {}]) is not positive and finite", where,
                                              i, point.x, point.y.lower, point.y.upper));
  }
}

void require_finite(const char* where, std::span<const double> values, std::size_t least) {
  if (values.size() < least)
    throw std::invalid_argument(fmt::format("{}: {} values, at least {} are needed", where, values.size(), least));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw std::invalid_argument(fmt::format("{}: value {} = {} is not finite", where, i, values[i]));
}

// Range of sum_i weight_i v_i while v_i moves over log(y_i).
Interval linear_range(std::span<const RatePoint> points, std::span<const double> weights) {
  Interval range{0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double low = weights[i] * std::log(points[i].y.lower), high = weights[i] * std::log(points[i].y.upper);
    range.lower += std::min(low, high);
    range.upper += std::max(low, high);
  }
  return range;
}

}  // namespace

PowerLaw fit_power_law(std::span<const RatePoint> points) {
  require_points("fit_power_law", points);
  const auto n = static_cast<double>(points.size());
  double center = 0;
  for (const RatePoint& point : points) center += std::log(point.x) / n;
  double spread = 0;
  for (const RatePoint& point : points) spread += std::pow(std::log(point.x) - center, 2);
  if (!(spread > 0)) throw std::invalid_argument("fit_power_law: all points have the same x");
  // Exponent and log constant are both linear in the log y_i.
  std::vector<double> slope(points.size()), intercept(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    slope[i] = (std::log(points[i].x) - center) / spread;
    intercept[i] = 1 / n - center * slope[i];
  }
  double exponent = 0, log_constant = 0;
  const auto middle = [&](std::size_t i) { return (std::log(points[i].y.lower) + std::log(points[i].y.upper)) / 2; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    exponent += slope[i] * middle(i);
    log_constant += intercept[i] * middle(i);
  }
  double residual = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    residual = std::max(residual, std::abs(middle(i) - log_constant - exponent * std::log(points[i].x)));
  const Interval constants = linear_range(points, intercept);
  return {exponent,
          std::exp(log_constant),
          linear_range(points, slope),
          {std::exp(constants.lower), std::exp(constants.upper)},
          residual};
}

std::vector<Interval> local_exponents(std::span<const RatePoint> points) {
  require_points("local_exponents", points);
  std::vector<Interval> exponents;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double step = std::log(points[i + 1].x / points[i].x);
    if (!(step > 0))
      throw std::invalid_argument(fmt::format("local_exponents: x does not increase at point {}", i + 1));
    exponents.push_back({std::log(points[i + 1].y.lower / points[i].y.upper) / step,
                         std::log(points[i + 1].y.upper / points[i].y.lower) / step});
  }
  return exponents;
}

Extrapolation richardson(std::span<const double> values, double ratio, double p, double s, double value_error) {
  require_finite("richardson", values, 3);
  if (!(ratio > 1 && p > 0 && s > 0 && value_error >= 0))
    throw std::invalid_argument(
        fmt::format("richardson: ratio {}, p {}, s {} or value_error {} is out of range", ratio, p, s, value_error));
  std::vector<double> column(values.begin(), values.end());
  double previous_end = column.back(), change = 0, amplification = 1;
  for (int order = 0; column.size() > 1; ++order) {
    const double factor = std::pow(ratio, p + s * order);
    amplification *= (factor + 1) / (factor - 1);
    std::vector<double> next;
    for (std::size_t i = 0; i + 1 < column.size(); ++i)
      next.push_back(column[i + 1] + (column[i + 1] - column[i]) / (factor - 1));
    change =
        std::max(std::abs(next.back() - previous_end), next.size() > 1 ? std::abs(next.back() - next.end()[-2]) : 0);
    previous_end = next.back();
    column = std::move(next);
  }
  return {previous_end, change + amplification * value_error};
}

Extrapolation aitken(std::span<const double> values) {
  require_finite("aitken", values, 4);
  const auto extrapolant = [&](std::size_t last) {
    const double first = values[last - 1] - values[last - 2], second = values[last] - values[last - 1];
    const double curvature = second - first;
    return std::abs(curvature) > 0 ? values[last] - second * second / curvature : values[last];
  };
  const std::size_t last = values.size() - 1;
  const double limit = extrapolant(last);
  return {limit, std::abs(limit - extrapolant(last - 1)) + std::abs(limit - values[last]) / 10};
}

}  // namespace attest::statistics
