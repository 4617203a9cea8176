// Random numbers for tests of kernels that must not depend on kernels/random.
#pragma once

#include <cstdint>

namespace attest {

/// Uniform on (0, 1), a pure function of (stream, index): SplitMix64's finaliser applied twice.
inline double counter_uniform(std::uint64_t stream, std::uint64_t index) {
  const auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  };
  const std::uint64_t bits = mix(mix(stream * 0x9e3779b97f4a7c15ULL + 1) + (index + 1) * 0x9e3779b97f4a7c15ULL);
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

}  // namespace attest
