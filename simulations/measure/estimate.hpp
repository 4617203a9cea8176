// Estimates with confidence intervals over independently drawn units (images, windows of text).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace attest::measure {

/// Confidence level of every interval that a measurement reports, each taken alone.
inline constexpr double confidence_level = 0.95;

/// A number with a confidence interval.
struct Estimate {
  double value = 0;
  double lower = 0;
  double upper = 0;
  std::int64_t units = 0;  ///< independent units it rests on
};

/// Mean of one number per unit, value -+ t_{n-1} s/sqrt(n) (Student). Numbers that are averages over the tokens of a
/// unit give an interval that respects their dependence, since only units need be independent. Errors:
/// std::invalid_argument for fewer than two units or a value that is not finite.
Estimate mean_estimate(std::span<const double> values);

/// Median of one number per unit, with the distribution-free interval between two order statistics (the widest tails
/// whose binomial probability is at most (1 - level)/2 each; the extremes when there are too few units for that).
/// Unlike the mean it stands numbers of which a few are enormous. Errors: as mean_estimate.
Estimate median_estimate(std::vector<double> values);

/// Sum of numerators over sum of denominators, one of each per unit, with the linearised interval
/// R -+ t_{n-1} s(a_i - R b_i)/(sqrt(n) mean b).
/// Errors: as mean_estimate; std::invalid_argument when lengths differ or the denominators sum to 0.
Estimate ratio_estimate(std::span<const double> numerators, std::span<const double> denominators);

/// Share of units with a property, by Clopper and Pearson. Errors: std::invalid_argument without units.
Estimate share_estimate(std::int64_t successes, std::int64_t units);

/// "0.512 [0.498, 0.526]": two digits of the interval's width, four of the value where there is none.
std::string to_text(const Estimate& estimate);

/// "51.2 % [49.8, 52.6]": a share as a percentage.
std::string to_percent(const Estimate& share);

}  // namespace attest::measure
