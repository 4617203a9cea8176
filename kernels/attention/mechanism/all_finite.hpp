// Whether all of many numbers are finite, a register at a time.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "kernels/simd/lanes.hpp"

namespace attest::attention {

/// Whether no entry is NaN or infinite.
template <typename T>
bool all_finite(std::span<const T> entries) {
  // Zero times what is not finite is NaN, and a sum with NaN stays NaN.
  using V = simd::Lanes<T, 32>;
  constexpr std::size_t at_once = 4 * static_cast<std::size_t>(V::count);
  V sums[4];
  const V zero(T(0));
  std::size_t i = 0;
  for (; i + at_once <= entries.size(); i += at_once)
    for (int r = 0; r < 4; ++r) sums[r] = fused(V::load(entries.data() + i + r * V::count), zero, sums[r]);
  T lanes[V::count];
  ((sums[0] + sums[1]) + (sums[2] + sums[3])).store(lanes);
  T total = 0;
  for (const T lane : lanes) total += lane;
  for (; i < entries.size(); ++i) total += entries[i] * T(0);
  return total == 0;
}

}  // namespace attest::attention
