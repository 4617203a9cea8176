// Philox 4x32-10 over counters that follow each other, one per 64-bit lane.
#pragma once

#include "kernels/random/stream_words.hpp"
#include "kernels/simd/lanes.hpp"

namespace attest::random {

/// The words of one counter per 64-bit lane. Words: a register of them, or several (kernels/simd/paired.hpp).
template <typename Words>
struct PhiloxWords {
  Words even, odd;  ///< words 2 index and 2 index + 1 of the stream
};

/// word_pair (kernels/random/stream_words.hpp) at the blocks `index`, several at once; a test compares the two.
/// A product of 32-bit numbers fills a lane; its high half is moved down where it is used and in the way nowhere else.
/// Always inlined: in a loop over counters the round keys are then made once.
template <typename Words>
[[gnu::always_inline]] inline PhiloxWords<Words> philox_words(const StreamName& name, Words index) {
  using simd::high_halves;
  using simd::low_products;
  constexpr std::uint32_t multiplier_0 = PHILOX_M4x32_0, multiplier_1 = PHILOX_M4x32_1;
  constexpr std::uint32_t weyl_0 = PHILOX_W32_0, weyl_1 = PHILOX_W32_1;
  Words c0 = index, c1 = (index >> 32) | std::uint64_t{sample_part(name)};
  Words c2 = Words{} + (name.sample & 0xFFFFFFFFU), c3 = Words{} + name.key;
  auto key_0 = static_cast<std::uint32_t>(name.seed), key_1 = static_cast<std::uint32_t>(name.seed >> 32);
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const Words p0 = low_products(c0, Words{} + multiplier_0);
    const Words p1 = low_products(c2, Words{} + multiplier_1);
    c0 = high_halves(p1) ^ c1 ^ key_0;
    c2 = high_halves(p0) ^ c3 ^ key_1;
    c1 = p1;
    c3 = p0;
    key_0 += weyl_0;
    key_1 += weyl_1;
  }
  return {(c0 & 0xFFFFFFFFU) | (c1 << 32), (c2 & 0xFFFFFFFFU) | (c3 << 32)};
}

/// The counters block, block + 1, ..., one per lane.
template <typename Words>
Words counters_from(std::uint64_t block) {
  Words index;
  for (int lane = 0; lane < static_cast<int>(sizeof(Words) / 8); ++lane) index[lane] = static_cast<std::uint64_t>(lane);
  return index + block;
}

}  // namespace attest::random
