// What a confidence sequence would have caught.
#pragma once

#include "kernels/statistics/confidence_sequence.hpp"

namespace attest::statistics {

/// A test of "mean <= bound" that refutes when a BettingSequence's lower end passes the bound.
struct MeanTest {
  Range range;             ///< of one observation
  double bound = 0;        ///< the claimed upper bound of the mean, inside the range
  double alpha = 1e-9;     ///< level of the lower end
  double max_samples = 0;  ///< observations at which the test ends undecided
  double variance = 0;     ///< of one observation, an upper bound or an estimate
};

/// Smallest excess delta such that a true mean of bound + delta would have been refuted within max_samples observations
/// with probability at least 1 - false_pass.
///
/// Computed, not simulated: with probability 1 - false_pass the sample mean is above
/// mean - sqrt(2 v log(2/q)/n) - log(2/q) R/(3n) (Bernstein, q = false_pass, R the range's width) and the mean squared
/// deviation below (sqrt(v) + R sqrt(2 log(2/q)/(n - 1)))^2 (Maurer and Pontil 2009, Theorem 10), at most R^2/4; delta
/// is found by bisection such that the sequence's end for that sample reaches the bound. About sqrt(2 v/n)
/// (sqrt(log(20/alpha)) + sqrt(log(2/q))). Returns +infinity when no mean in the range would be caught. To ask about a
/// lower bound, negate range and bound. Errors: std::invalid_argument for an invalid range, a bound outside it, levels
/// outside (0, 1), fewer than 2 samples, or a negative or NaN variance.
double smallest_caught_excess(const MeanTest& test, double false_pass);

}  // namespace attest::statistics
