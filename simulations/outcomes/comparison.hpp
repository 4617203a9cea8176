// Comparing variants by runs with common seeds.
#pragma once

#include <string>
#include <vector>

#include "kernels/statistics/interval.hpp"

namespace attest::training {

/// Student's interval for the mean of `values`, of level 1 - alpha; both ends infinite for fewer than two values and
/// for equal ones (statistics::student_interval).
statistics::Interval mean_interval(const std::vector<double>& values, double alpha);

/// What the runs say of "a is better than b".
struct Difference {
  double mean = 0;                ///< of a - b
  statistics::Interval interval;  ///< all of an experiment's intervals hold together with probability 1 - level
  std::string verdict;            ///< "supported", "refuted" or "undecided"
};

/// Paired differences a[s] - b[s] over seeds s, under the assumption that they are normal. Each of `comparisons`
/// intervals has error level / comparisons (Bonferroni). Supported when the interval lies on the better side of 0
/// (above it when more is better), refuted when it lies on the other, undecided otherwise.
/// Errors: std::invalid_argument unless a and b have equally many values.
Difference compare(const std::vector<double>& a, const std::vector<double>& b, bool more_is_better,
                   std::size_t comparisons, double level);

/// The true mean difference, in standard deviations of a paired difference, that such a comparison calls supported with
/// probability `power` (noncentral t); infinite for fewer than two seeds.
double detectable_difference(std::size_t seeds, std::size_t comparisons, double level, double power);

}  // namespace attest::training
