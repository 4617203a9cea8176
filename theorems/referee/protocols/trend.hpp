// Where a sequence goes that is known at finitely many places.
#pragma once

#include <vector>

namespace attest::referee {

/// Where a sequence of gaps along a geometric grid goes, as far as finitely many tell. Neither flag: they do not.
struct Trend {
  bool to_zero = false;  ///< gaps fall steadily, or are below any doubt
  bool away = false;     ///< gaps settle, or are extrapolated to settle, at a value that is not 0, or grow
  double settles_at = 0;
};

/// The share of its own size within which three extrapolations of a + b r^k, one after the other, must agree to be
/// taken for a. What they lack falls by r at each at least, so that the last lies no farther than this from a for r <=
/// 1/2.
inline constexpr double extrapolation_agreement = 1e-3;

/// How a ratio of two sides grows along a geometric grid, as far as finitely many tell.
struct Growth {
  bool bounded = false;    ///< it falls, or its steps shrink to nothing
  bool unbounded = false;  ///< it grows as a power of the grid's number, or of its logarithm
  double last_ratio = 0;
};

/// The growth of at least 8 ratios (16 to be `unbounded`) with these logarithms, by the last half of them.
Growth growth_of(const std::vector<double>& logarithms);

/// The trend of at least 8 gaps (16 to be `away`), by the last half of them and by extrapolations in r^k (Aitken's) and
/// in 1/k (Richardson's).
Trend trend_of(const std::vector<double>& gaps);

}  // namespace attest::referee
