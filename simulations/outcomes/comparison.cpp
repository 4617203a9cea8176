#include "simulations/outcomes/comparison.hpp"

#include <stdexcept>

#include "kernels/statistics/student.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::training {
namespace {

statistics::Welford moments(const std::vector<double>& values) {
  statistics::Welford all;
  for (const double value : values) all.add(value);
  return all;
}

}  // namespace

statistics::Interval mean_interval(const std::vector<double>& values, double alpha) {
  return statistics::student_interval(moments(values), alpha);
}

Difference compare(const std::vector<double>& a, const std::vector<double>& b, bool more_is_better,
                   std::size_t comparisons, double level) {
  if (a.size() != b.size() || a.empty()) throw std::invalid_argument("compare: both need the same seeds");
  std::vector<double> differences;
  for (std::size_t s = 0; s < a.size(); ++s) differences.push_back(a[s] - b[s]);
  Difference d{moments(differences).mean(), mean_interval(differences, level / static_cast<double>(comparisons)),
               "undecided"};
  const bool above = d.interval.lower > 0, below = d.interval.upper < 0;
  if (above || below) d.verdict = above == more_is_better ? "supported" : "refuted";
  return d;
}

double detectable_difference(std::size_t seeds, std::size_t comparisons, double level, double power) {
  return statistics::detectable_shift(seeds, level / static_cast<double>(comparisons), power);
}

}  // namespace attest::training
