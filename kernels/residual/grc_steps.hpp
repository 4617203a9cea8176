// The Lipschitz recursion of boosted residual networks, layer by layer: one definition for scalars, SIMD lanes and CUDA
// threads.
#pragma once

#include "kernels/simd/scalar.hpp"

namespace attest::residual {

/// What one (L, t) has gone through: counts and extremes over its layers. Counts are doubles, exact below 2^53.
template <typename V>
struct GrcTally {
  V printed_above, printed_open, sharp_above, sharp_open;  ///< layers n at which a factor is above the constant
  V largest, largest_at, least, least_at;                  ///< of the sharp factor, and the first n that has it
};

/// K_1 = L + 1, K_{n+1} = (L + 1 - t) K_n + t, as factors that neither grow nor vanish where the laws hold:
/// printed_n = K_n/(L + 1 - t)^n = (L+1) g + t (g^2 + ... + g^n), g = 1/(L + 1 - t), by a sum; and
/// sharp_n = K_n/max(L + 1 - t, 1)^n, which is printed_n for t <= L, and K_n itself, by the recursion, for t > L.
/// Both have only positive terms: relative error below 6 n 2^-53. Infinite where it exceeds the range.
template <typename V>
struct GrcRecursion {
  V weight, slope, inverse, power, printed, boosted, below;

  ATTEST_HOST_DEVICE static GrcRecursion first_layer(V lipschitz, V t) {
    GrcRecursion r;
    const V one(1.0);
    r.weight = t;
    r.slope = (one - t) + lipschitz;  // 1 - t first: with L + 1 it would lose digits near 0
    r.inverse = one / r.slope;
    r.power = r.inverse;
    r.boosted = lipschitz + one;
    r.printed = r.boosted * r.inverse;
    r.below = lipschitz;
    return r;
  }

  ATTEST_HOST_DEVICE void next_layer() {
    using simd::fused;
    power = power * inverse;
    printed = fused(weight, power, printed);
    boosted = fused(slope, boosted, weight);
  }

  ATTEST_HOST_DEVICE V sharp() const {
    using simd::if_less;
    return if_less(below, weight, boosted, printed);
  }

  /// Counts layer n (a number): above `high` a factor is certainly above the constant, from `low` to `high` it is open.
  ATTEST_HOST_DEVICE void count(V n, V low, V high, GrcTally<V>& tally) const {
    using simd::if_less;
    const V one(1.0), zero(0.0), factor = sharp();
    const auto classify = [&](V value, V& above, V& open) {
      const V over = if_less(high, value, one, zero);
      above = above + over;
      open = open + (if_less(value, low, zero, one) - over);
    };
    classify(printed, tally.printed_above, tally.printed_open);
    classify(factor, tally.sharp_above, tally.sharp_open);
    tally.largest_at = if_less(tally.largest, factor, n, tally.largest_at);
    tally.largest = if_less(tally.largest, factor, factor, tally.largest);
    tally.least_at = if_less(factor, tally.least, n, tally.least_at);
    tally.least = if_less(factor, tally.least, factor, tally.least);
  }

  ATTEST_HOST_DEVICE static GrcTally<V> nothing_seen() {
    const V zero(0.0);
    return {zero, zero, zero, zero, V(-1.0), zero, V(1.7e308), zero};
  }
};

}  // namespace attest::residual
