// The pattern of dropout on attention weights, the same on every device.
#pragma once

#include <cmath>
#include <cstdint>

#include <Random123/philox.h>

#include "kernels/device/host_device.hpp"

namespace attest::attention {

/// Four 32-bit words for the weights (b, h, i, 4 j4 .. 4 j4 + 3): Philox4x32-10 of Random123 under the key `seed`, with
/// the counter (j4, i, h, b). The key's high word is flipped by a constant (FNV-1a of "dropout"), so that no
/// random::Stream of the same seed meets these words. Extents are taken modulo 2^32.
ATTEST_HOST_DEVICE inline philox4x32_ctr_t dropout_words(std::uint64_t seed, std::int64_t b, std::int64_t h,
                                                         std::int64_t i, std::int64_t j4) {
  const philox4x32_key_t key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32) ^ 0x2738a690U}};
  const philox4x32_ctr_t counter = {{static_cast<std::uint32_t>(j4), static_cast<std::uint32_t>(i),
                                     static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(b)}};
  return philox4x32_R(10, counter, key);
}

/// A weight is dropped when its word is below this: rate 2^32, rounded. Precondition: 0 <= rate < 1.
inline std::uint32_t dropout_threshold(double rate) {
  const double words = std::floor(rate * 0x1p32 + 0.5);
  return words >= 0x1p32 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(words);
}

/// Whether weight (b, h, i, j) survives.
ATTEST_HOST_DEVICE inline bool survives_dropout(std::uint64_t seed, std::uint32_t threshold, std::int64_t b,
                                                std::int64_t h, std::int64_t i, std::int64_t j) {
  return dropout_words(seed, b, h, i, j / 4).v[j % 4] >= threshold;
}

/// The words of entries 4 group .. 4 group + 3 of an array that is not a matrix of weights: those of the last
/// sequence that a batch could have, which no batch of weights reaches.
ATTEST_HOST_DEVICE inline philox4x32_ctr_t entry_dropout_words(std::uint64_t seed, std::int64_t group) {
  return dropout_words(seed, 0xFFFFFFFF, 0, group >> 32, group);
}

/// Whether entry i of such an array survives.
ATTEST_HOST_DEVICE inline bool survives_entry_dropout(std::uint64_t seed, std::uint32_t threshold, std::int64_t i) {
  return entry_dropout_words(seed, i / 4).v[i % 4] >= threshold;
}

}  // namespace attest::attention
