// The 64-bit words of a stream: their one definition, for the processor and CUDA devices.
#pragma once

#include <array>
#include <cstdint>

#include <Random123/philox.h>

#include "kernels/device/host_device.hpp"

namespace attest::random {

/// What tells a stream from every other: the user's seed, the key of what draws (`stream_key`) and the sample.
struct StreamName {
  std::uint64_t seed = 0;
  std::uint32_t key = 0;
  std::uint64_t sample = 0;  ///< below 2^48
};

/// Words 2 block and 2 block + 1 of a stream.
struct WordPair {
  std::uint64_t even, odd;
};

/// The counter's four 32-bit words at `block` are (block low 32, block high 16 | sample high 16 << 16, sample low 32,
/// key): the second of them without the block's part, which philox_lanes.hpp makes for several blocks at once.
ATTEST_HOST_DEVICE constexpr std::uint32_t sample_part(const StreamName& name) {
  return static_cast<std::uint32_t>(name.sample >> 32) << 16;
}

/// Philox 4x32-10 of Random123 under the key `seed` (low word first; Philox's own word for it) at the counter of
/// `block`. J. K. Salmon and others, Parallel random numbers: as easy as 1, 2, 3 (2011).
ATTEST_HOST_DEVICE inline WordPair word_pair(const StreamName& name, std::uint64_t block) {
  const philox4x32_ctr_t counter = {{static_cast<std::uint32_t>(block),
                                     (static_cast<std::uint32_t>(block >> 32) & 0xFFFFU) | sample_part(name),
                                     static_cast<std::uint32_t>(name.sample), name.key}};
  const philox4x32_key_t seed = {{static_cast<std::uint32_t>(name.seed), static_cast<std::uint32_t>(name.seed >> 32)}};
  const philox4x32_ctr_t out = philox4x32_R(10, counter, seed);
  return {out.v[0] | (std::uint64_t{out.v[1]} << 32), out.v[2] | (std::uint64_t{out.v[3]} << 32)};
}

}  // namespace attest::random
