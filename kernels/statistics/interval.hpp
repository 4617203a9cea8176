// A closed interval of doubles and the side on which a confidence statement is made.
#pragma once

#include <limits>

namespace attest::statistics {

/// Closed interval [lower, upper]; infinite ends are allowed. A confidence sequence whose lower end exceeds its upper
/// end has met an event of probability at most its alpha.
struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// upper - lower.
  double width() const { return upper - lower; }
  /// Whether lower <= value <= upper; false for NaN.
  bool contains(double value) const { return lower <= value && value <= upper; }
};

/// Which ends of a confidence interval are claimed. The error level alpha is split equally over the ends that are.
enum class Sides { two_sided, lower_only, upper_only };

/// The error level that each claimed end gets: alpha/2 when two-sided, alpha otherwise.
constexpr double level_per_side(double alpha, Sides sides) { return sides == Sides::two_sided ? alpha / 2 : alpha; }

}  // namespace attest::statistics
