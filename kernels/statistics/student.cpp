#include "kernels/statistics/student.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

namespace attest::statistics {
namespace {

void require_in_unit_interval(const char* function, const char* name, double value) {
  if (!(value > 0 && value < 1))
    throw std::invalid_argument(fmt::format("{}: {} = {} is not in (0, 1)", function, name, value));
}

double critical(double freedom, double alpha) {
  return boost::math::quantile(boost::math::complement(boost::math::students_t(freedom), alpha / 2));
}

}  // namespace

double student_half_width(const Welford& observations, double alpha) {
  require_in_unit_interval("student_half_width", "alpha", alpha);
  if (observations.count() < 2)
    throw std::invalid_argument(fmt::format("student_half_width: {} observations; give 2", observations.count()));
  const auto n = static_cast<double>(observations.count());
  return critical(n - 1, alpha) * std::sqrt(observations.variance() / n);
}

Interval student_interval(const Welford& observations, double alpha) {
  require_in_unit_interval("student_interval", "alpha", alpha);
  // Also for a variance that is not a number: then nothing is known either.
  if (observations.count() < 2 || !(observations.variance() > 0)) return {};
  const double half = student_half_width(observations, alpha);
  return {observations.mean() - half, observations.mean() + half};
}

double detectable_shift(std::size_t n, double alpha, double power) {
  require_in_unit_interval("detectable_shift", "alpha", alpha);
  require_in_unit_interval("detectable_shift", "power", power);
  if (n < 2) return std::numeric_limits<double>::infinity();
  const double freedom = static_cast<double>(n - 1), limit = critical(freedom, alpha);
  const auto power_at = [&](double shift) {
    return boost::math::cdf(boost::math::complement(boost::math::non_central_t(freedom, shift), limit));
  };
  double low = 0, high = 1;
  while (power_at(high) < power && high < 1e4) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (power_at(middle) < power ? low : high) = middle;
  }
  return high / std::sqrt(static_cast<double>(n));
}

}  // namespace attest::statistics
