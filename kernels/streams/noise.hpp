// Noise by name: what is drawn again whenever it is needed.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/random/laws.hpp"

namespace attest::streams {

/// eta_i = scale Z_i, i = 0, 1, ...: Z_i is number i of sample s of the stream (seed, key), by `law`.
/// In double precision the numbers are those of random::fill, but for the gaussian law, which is drawn in pairs by
/// Box's and Muller's method (twice as fast as inversion). Single precision has draws of its own, from 32-bit words.
struct Noise {
  random::Law law;
  double scale = 1;
  std::uint64_t seed = 0;
  std::uint32_t key = 0;
};

/// Over some elements: the sums of a w, a^2 w and a^2 w^2, and the largest eta (kernels/streams/operations.hpp).
struct PerturbationSums {
  double aw = 0, a2w = 0, a2w2 = 0, largest = -HUGE_VAL;
};

/// Means over all N elements of a, a^2, a w, a^2 w and a^2 w^2 with a = exp(c) and w = exp(eta) - 1, and the norm that
/// they make: sqrt(N (a2w2 - 2 r a2w + r^2 a2))/(N (a + aw)), r = aw/a.
struct PerturbationMeans {
  double norm = 0, a = 0, a2 = 0, aw = 0, a2w = 0, a2w2 = 0;
};

}  // namespace attest::streams
