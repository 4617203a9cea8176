// Permutations of 0, ..., p - 1 for a prime p that are never stored.
#pragma once

#include <cstdint>

namespace attest::monte_carlo {

/// i -> (factor i + shift) mod p for a prime p < 2^32, factor in 1, ..., p - 1 (1 for p = 1) and shift in 0, ..., p
/// - 1. Two different indices are sent to each pair of different places by exactly one of the p (p - 1) permutations:
/// drawn at random they are as even in pairs as all p! are, and variances of means look at no more than pairs.
struct AffinePermutation {
  std::uint64_t p = 1, factor = 1, shift = 0;

  /// The one that two random words choose, each place of a pair equally likely up to p 2^-64.
  static AffinePermutation chosen_by(std::uint64_t p, std::uint64_t first, std::uint64_t second) {
    __extension__ using Wide = unsigned __int128;
    const auto below = [](std::uint64_t word, std::uint64_t n) {
      return static_cast<std::uint64_t>((static_cast<Wide>(word) * n) >> 64U);
    };
    return {p, 1 + below(first, p - 1), below(second, p)};
  }
  std::uint64_t operator()(std::uint64_t i) const { return (factor * i + shift) % p; }
};

/// Whether n is prime, or 1 (which has one permutation).
constexpr bool is_prime_or_one(std::uint64_t n) {
  for (std::uint64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 0;
}

}  // namespace attest::monte_carlo
