// Means over points that fill the unit cube more evenly than independent ones, with intervals from replicates.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "kernels/statistics/welford.hpp"

namespace attest::monte_carlo {

/// How the points of one replicate lie in the unit cube. Every single point is uniform, so that each design's mean is
/// unbiased; they differ in how the points of a replicate depend on each other.
enum class Design : std::uint8_t {
  independent,
  /// Each coordinate of n points has one in every interval [k/n, (k+1)/n), in an order of its own: the variance of what
  /// is a sum of functions of one coordinate each falls like n^-3 instead of 1/n, in any number of dimensions (M. D.
  /// McKay, R. J. Beckman, W. J. Conover, 1979; M. Stein, 1987). n is a prime below 2^32.
  latin_hypercube,
  /// The first n points of the Sobol sequence (Joe's and Kuo's direction numbers), each coordinate's bits flipped by a
  /// random word (R. Cranley, T. N. L. Patterson, 1976; digital shift): for smooth functions that few coordinates at a
  /// time decide upon. Best for n a power of two. Up to 3667 dimensions.
  sobol,
};

/// A point of the cube as 64-bit words, one per coordinate: coordinate i is (words[i] + 1/2)/2^64.
using PointStatistic = std::function<double(std::span<const std::uint64_t> words)>;

/// Which points: everything that tells them from others.
struct Points {
  Design design = Design::independent;
  std::size_t dimensions = 1;
  std::uint64_t in_each = 1;  ///< points of one replicate
  std::uint64_t seed = 0;
  std::uint32_t key = 0;
};

/// Moments of the replicates' means: `replicates` means over points.in_each points each, independent of each other and
/// each with the mean of the statistic. `statistic` is a pure function, called from several threads at once; the bits
/// do not depend on `threads`. Memory: the replicates' means and one point per thread.
/// Errors: std::invalid_argument for no points, dimensions or replicates, and what the design does not have.
statistics::Welford replicate_means(const Points& points, std::uint64_t replicates, const PointStatistic& statistic,
                                    unsigned threads);

}  // namespace attest::monte_carlo
