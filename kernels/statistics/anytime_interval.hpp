// Intervals that may be looked at after every observation, as functions of what has been seen so far.
#pragma once

#include <cstdint>

#include "kernels/statistics/interval.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::statistics {

/// What Student's interval is for a sample size fixed in advance, for any number of looks: for independent normal
/// observations of unknown mean and variance P(exists n: mean outside the interval after n) <= alpha; for others it
/// holds as far as means of few observations are normal.
///
/// Under "the mean is m" the Bayes factor of an effect (mean - m)/sigma ~ N(0, 1) with the right Haar prior on sigma,
///   (1 + n)^(-1/2) ((1 + r)/(1 + r/(1 + n)))^(n/2),   r = n (sample mean - m)^2 / ((n - 1) s^2),
/// is a martingale of the scale-invariant data, whatever sigma is, so by Ville's inequality it reaches 1/alpha with
/// probability at most alpha (T. L. Lai, "On confidence sequences", Annals of Statistics 4 (1976); A. Hendriksen,
/// R. de Heide and P. Grünwald, "Optional stopping with Bayes factors", 2021). The interval holds the m at which it has
/// not: about 1.35 times as wide as Student's at alpha = 1e-3, and infinite for a few observations (n <= 6 there).
/// Where all observations are equal its width is 0 as soon as it is finite, as a normal law demands that never varies:
/// a share of rare events that have not been seen is anytime_share_interval's.
/// Errors: std::invalid_argument for alpha outside (0, 1).
Interval anytime_mean_interval(const Welford& moments, double alpha);

/// What Clopper's and Pearson's interval is for a number of trials fixed in advance, for any number of looks and for
/// every probability p exactly: the p with  integral of u^k (1-u)^(n-k) du < p^k (1-p)^(n-k) / alpha  (H. Robbins,
/// "Statistical methods related to the law of the iterated logarithm", 1970, with the uniform mixture).
/// Errors: std::invalid_argument for no trials, more successes than trials, or alpha outside (0, 1).
Interval anytime_share_interval(std::uint64_t successes, std::uint64_t trials, double alpha);

}  // namespace attest::statistics
