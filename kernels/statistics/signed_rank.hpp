// Tests and intervals for the centre of a symmetric law that may be looked at after every observation.
#pragma once

#include <span>
#include <vector>

#include "kernels/statistics/interval.hpp"

namespace attest::statistics {

/// The logarithm of the capital of betting on "the centre is above `centre`", after each observation.
///
/// Let y_i = x_i - centre, and R_i the number of k <= i with |y_k| <= |y_i|. If the y_i are independent with laws
/// symmetric about 0, the sign of y_i is a fair coin given all |y_k| and the earlier signs, so for every f in [0, 1]
/// the product of 1 + f(R_i, i) sign(y_i) is a non-negative martingale that starts at 1: an e-process, exact for every
/// such law at every n. It is averaged over ten f, tanh(l z) with z the upper quantile of |N(0, 1)| at rank (R_i -
/// 1/2)/i and l = 0.3, 0.8, 2 (weights 0.18) and six smaller ones down to 0.0005 (together 0.06), and f = 1 (weight
/// 0.4): nearly the likelihood ratio of normal observations whose mean is l standard deviations, and the sign alone.
/// The small ones serve many observations: a bet tells effects from about l/2 deviations on, however many there are. f
/// rises with the rank, so the capital falls as `centre` rises. An observation at the centre changes nothing.
/// Source: F. Wilcoxon's ranks (1945) in J. Ville's fair game of coins (1939); A. Ramdas, J. Ruf, M. Larsson and
/// W. Koolen, "Admissible anytime-valid sequential inference must rely on nonnegative martingales" (2020), Section 5.
/// Errors: std::invalid_argument for an observation that is not finite.
std::vector<double> log_capital_above(std::span<const double> observations, double centre);

/// The same for "the centre is below `centre`": log_capital_above of the negatives.
std::vector<double> log_capital_below(std::span<const double> observations, double centre);

/// The centres that neither bet has ever excluded, each at level alpha/2: P(exists n: centre outside) <= alpha for
/// independent observations with laws symmetric about a common centre, whatever they are. Never wider after another
/// observation; infinite ends for fewer than about log2(5/alpha) observations.
/// Errors: std::invalid_argument for alpha outside (0, 1) or an observation that is not finite.
Interval signed_rank_interval(std::span<const double> observations, double alpha);

/// The fewest observations after which signed_rank_interval can have a finite end: all signs alike.
/// Errors: std::invalid_argument for alpha outside (0, 1).
int least_observations(double alpha);

}  // namespace attest::statistics
