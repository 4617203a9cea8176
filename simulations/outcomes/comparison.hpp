// Comparing variants by runs with common seeds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/statistics/interval.hpp"

namespace attest::outcomes {

/// Student's interval for the mean of `values`, of level 1 - alpha; both ends infinite for fewer than two values and
/// for equal ones (statistics::student_interval). Asymptotic: exact for normal values alone, and to be called so.
statistics::Interval mean_interval(const std::vector<double>& values, double alpha);

/// How a comparison is judged.
struct ComparisonRule {
  bool more_is_better = false;
  double level = 0.01;          ///< probability of any false verdict in all comparisons together
  std::size_t comparisons = 1;  ///< which share the level equally (Bonferroni)
  double smallest = 0;          ///< the smallest difference that matters; 0: none is declared
  /// The values' range, where it is known: the mean difference then gets an interval without further assumption.
  std::optional<statistics::Interval> range = std::nullopt;
};

/// What the runs say of "a is better than b".
struct Difference {
  double mean = 0, deviation = 0;  ///< of a - b
  statistics::Interval interval;   ///< of the centre of a - b; all of a rule's hold together with probability 1 - level
  /// Of the mean of a - b, by the values' range alone; all of a rule's hold together with probability 1 - level.
  std::optional<statistics::Interval> range_interval = std::nullopt;
  std::string verdict;  ///< "a better", "b better", "no difference above 0.01" or "undecided"
  double e_value = 1;   ///< evidence against "no difference"; a verdict at comparisons/level
  std::size_t pairs = 0;
  std::size_t decided_at = 0;  ///< pairs after which the verdict could be told; 0: undecided
  std::optional<std::size_t> would_decide = std::nullopt;  ///< statistics::PairedFinding::would_decide
};

/// Paired differences a[s] - b[s] over seeds s in the order of the runs, by statistics::judge_pairs: valid after every
/// seed, so that seeds may be added until there is a verdict.
/// Errors: std::invalid_argument unless a and b have equally many values, at least one, all finite, and inside the
/// range.
Difference compare(const std::vector<double>& a, const std::vector<double>& b, const ComparisonRule& rule);

/// What verdicts and intervals rest on, in one sentence.
extern const char* const paired_assumption;

/// The true difference, in standard deviations of a paired difference, that such a comparison calls better with
/// probability `power` (statistics::detectable_effect); infinite for too few seeds.
double detectable_difference(std::size_t seeds, std::size_t comparisons, double level, double power);

/// The fewest seeds with which any verdict is possible: all signs alike.
std::size_t least_seeds(std::size_t comparisons, double level);

}  // namespace attest::outcomes
