#include "simulations/training/comparison.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "kernels/statistics/welford.hpp"

namespace attest::training {
namespace {

double mean_of(const std::vector<double>& values) {
  statistics::Welford all;
  for (const double value : values) all.add(value);
  return all.mean();
}

/// The two-sided critical value of Student's t for this many values.
double critical(std::size_t values, double alpha) {
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(static_cast<double>(values - 1)), alpha / 2));
}

}  // namespace

statistics::Interval mean_interval(const std::vector<double>& values, double alpha) {
  if (values.size() < 2) return {};
  const double mean = mean_of(values), count = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = critical(values.size(), alpha) * std::sqrt(squares / (count - 1) / count);
  return {mean - half, mean + half};
}

Difference compare(const std::vector<double>& a, const std::vector<double>& b, bool more_is_better,
                   std::size_t comparisons, double level) {
  if (a.size() != b.size() || a.empty()) throw std::invalid_argument("compare: both need the same seeds");
  std::vector<double> differences;
  for (std::size_t s = 0; s < a.size(); ++s) differences.push_back(a[s] - b[s]);
  Difference d{mean_of(differences), mean_interval(differences, level / static_cast<double>(comparisons)), "undecided"};
  const bool above = d.interval.lower > 0, below = d.interval.upper < 0;
  if (above || below) d.verdict = above == more_is_better ? "supported" : "refuted";
  return d;
}

double detectable_difference(std::size_t seeds, std::size_t comparisons, double level, double power) {
  if (seeds < 2) return std::numeric_limits<double>::infinity();
  const double limit = critical(seeds, level / static_cast<double>(comparisons));
  const double freedom = static_cast<double>(seeds - 1);
  const auto power_at = [&](double shift) {
    return boost::math::cdf(boost::math::complement(boost::math::non_central_t(freedom, shift), limit));
  };
  double low = 0, high = 1;
  while (power_at(high) < power && high < 1e4) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (power_at(middle) < power ? low : high) = middle;
  }
  return high / std::sqrt(static_cast<double>(seeds));
}

}  // namespace attest::training
