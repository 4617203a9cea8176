// Philox 4x32-10 over counters that follow each other, one a 64-bit lane.
#pragma once

#include "kernels/simd/lanes.hpp"

namespace attest::random {

/// A stream's key and the part of its counters that does not move, as in random::Stream.
struct StreamName {
  std::uint64_t seed = 0;
  std::uint32_t claim = 0;
  std::uint64_t sample = 0;  ///< below 2^48
};

/// The words of `bytes`/8 neighbouring counters.
template <int bytes>
struct PhiloxLanes {
  using Words = typename simd::Lanes<double, bytes>::Bits;
  static constexpr int count = bytes / 8;

  Words even, odd;  ///< lane l: words 2 (block + l) and 2 (block + l) + 1 of the stream

  /// J. K. Salmon and others, Parallel random numbers: as easy as 1, 2, 3 (2011). A product of 32-bit numbers fills a
  /// lane; its high half is shifted down where it is used and in the way nowhere else.
  PhiloxLanes(const StreamName& name, std::uint64_t block) {
    constexpr std::uint32_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
    constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
    Words index;
    for (int lane = 0; lane < count; ++lane) index[lane] = static_cast<std::uint64_t>(lane);
    index += block;
    Words c0 = index, c1 = (index >> 32) | ((name.sample >> 32) << 16);
    Words c2 = Words{} + (name.sample & 0xFFFFFFFFU), c3 = Words{} + name.claim;
    auto key_0 = static_cast<std::uint32_t>(name.seed), key_1 = static_cast<std::uint32_t>(name.seed >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const Words p0 = simd::low_products(c0, Words{} + multiplier_0);
      const Words p1 = simd::low_products(c2, Words{} + multiplier_1);
      c0 = (p1 >> 32) ^ c1 ^ key_0;
      c2 = (p0 >> 32) ^ c3 ^ key_1;
      c1 = p1;
      c3 = p0;
      key_0 += weyl_0;
      key_1 += weyl_1;
    }
    even = (c0 & 0xFFFFFFFFU) | (c1 << 32);
    odd = (c2 & 0xFFFFFFFFU) | (c3 << 32);
  }
};

}  // namespace attest::random
