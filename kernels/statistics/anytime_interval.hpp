// Intervals that may be looked at after every observation, as functions of what has been seen so far; each for a stated
// class of laws.
#pragma once

#include <cstdint>

#include "kernels/statistics/interval.hpp"
#include "kernels/statistics/law_class.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::statistics {

/// The interval of the class `known` (below) for the mean: P(exists n: mean outside the interval after n) <= alpha for
/// independent observations of a common law in the class; for the asymptotic class about that.
/// Errors: std::invalid_argument as of the class's function, and for Promise::symmetric, whose interval needs the
/// observations themselves (signed_rank.hpp).
Interval anytime_mean_interval(const Welford& moments, const LawClass& known, double alpha);

/// For observations in `range`, whatever their law: the capital of BettingSequence without its running intersection.
/// Everything before the first observation. Errors: std::invalid_argument for alpha outside (0, 1), a range that is not
/// a bounded interval, or a mean outside of it by more than rounding.
Interval range_mean_interval(const Welford& moments, Range range, double alpha);

/// For laws of variance at most `variance`, however heavy their tails.
///
/// For E Y = 0: E exp(l Y - l^2 Y^2/6) <= 1 + l^2 E Y^2/3 <= exp(l^2 E Y^2/3) for every real l (B. Delyon, "Exponential
/// inequalities for sums of weighted variables", 2009; H. Wang and A. Ramdas, "Catoni-style confidence sequences for
/// heavy-tailed mean estimation", 2023). With S = sum (X_i - m) and W = (sum (X_i - m)^2 + 2 n variance)/3 the capital
/// exp(l S - l^2 W/2) is therefore a supermartingale under mean m. Mixed over l ~ N(0, 1/r), r = r_0 4^j with weights
/// 1/((j + 1)(j + 2)), it is at least  w_j (1 + W/r_j)^(-1/2) exp(S^2/(2 (W + r_j)))  for every j, and m is left out
/// where that reaches 1/alpha for the j nearest to W. Where the variance is the bound, W is about n variance and
/// nothing is lost against normal observations of known variance. A hundredth of alpha goes to |S| < a + b n variance
/// with probability 1 - 2/(1 + a b) (L. Dubins and L. Savage, "A Tchebycheff-like inequality for stochastic processes",
/// 1965), which makes the interval finite from the first observation on.
/// Errors: std::invalid_argument for alpha outside (0, 1) or a variance that is not finite or below 0.
Interval variance_mean_interval(const Welford& moments, double variance, double alpha);

/// For laws of kurtosis E (X - mean)^4/variance^2 at most `kurtosis`, of any variance; independent of location and
/// unit.
///
/// Let Z = (X - m)^2/s for the hypothesis of mean m and variance s, so that E Z = 1 and E Z^2 <= kurtosis, and x =
/// sum Z. Too small an x is left out at level alpha/4 by exp(-l x)(1 - l + l^2 kurtosis/2)^-n, a supermartingale for
/// every l > 0 (exp(-z) <= 1 - z + z^2/2); too large a one at alpha/100 by P(exists n: x - n >= a + b n (kurtosis - 1))
/// <= 1/(1 + a b) (Dubins and Savage). For the x between, m is left out by the capital of variance_mean_interval with
/// variance s and r proportional to s, at 0.74 alpha. What remains is mean +- sqrt(T Q/(n (n - T))) with Q = sum (X_i -
/// sample mean)^2 and a T that depends on n, kurtosis and alpha alone; infinite until n > T (about 2 kurtosis
/// log(4/alpha) observations and more). Errors: std::invalid_argument for alpha outside (0, 1) or a kurtosis below 1 or
/// infinite.
Interval kurtosis_mean_interval(const Welford& moments, double kurtosis, double alpha);

/// Observations before which an asymptotic interval says nothing.
inline constexpr std::uint64_t asymptotic_burn_in = 16;

/// Asymptotic: exact for independent normal observations of unknown mean and variance, for any number of looks; for
/// others it holds as far as their means are normal from the first look on, and misses far more often for skewed laws
/// and rare events (tests/benchmarks/results/coverage.txt). To be called asymptotic wherever it is printed.
///
/// Under "the mean is m" the Bayes factor of an effect (mean - m)/sigma ~ N(0, 1) with the right Haar prior on sigma,
///   (1 + n)^(-1/2) ((1 + r)/(1 + r/(1 + n)))^(n/2),   r = n (sample mean - m)^2 / ((n - 1) s^2),
/// is a martingale of the scale-invariant data, whatever sigma is, so by Ville's inequality it reaches 1/alpha with
/// probability at most alpha (T. L. Lai, "On confidence sequences", Annals of Statistics 4 (1976); A. Hendriksen,
/// R. de Heide and P. Grünwald, "Optional stopping with Bayes factors", 2021). The interval holds the m at which it has
/// not: about 1.35 times as wide as Student's at alpha = 1e-3. Infinite before `asymptotic_burn_in` observations, and
/// where all are equal: no spread says nothing of how far the mean may be.
/// Errors: std::invalid_argument for alpha outside (0, 1).
Interval asymptotic_mean_interval(const Welford& moments, double alpha);

/// What Clopper's and Pearson's interval is for a number of trials fixed in advance, for any number of looks and for
/// every probability p exactly: the p with  integral of u^k (1-u)^(n-k) du < p^k (1-p)^(n-k) / alpha  (H. Robbins,
/// "Statistical methods related to the law of the iterated logarithm", 1970, with the uniform mixture).
/// Errors: std::invalid_argument for no trials, more successes than trials, or alpha outside (0, 1).
Interval anytime_share_interval(std::uint64_t successes, std::uint64_t trials, double alpha);

}  // namespace attest::statistics
