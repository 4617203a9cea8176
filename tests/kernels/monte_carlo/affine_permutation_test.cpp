#include "kernels/monte_carlo/affine_permutation.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace attest::monte_carlo {
namespace {

TEST(AffinePermutation, puts_every_index_in_a_place_of_its_own_whatever_the_words) {
  for (const std::uint64_t p : {1U, 2U, 3U, 23U, 997U})
    for (const std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x9E3779B97F4A7C15}}) {
      std::set<std::uint64_t> places;
      for (std::uint64_t i = 0; i < p; ++i) places.insert(AffinePermutation::chosen_by(p, word, word)(i));
      EXPECT_EQ(places.size(), p);
      EXPECT_LT(*places.rbegin(), p);
    }
}

TEST(AffinePermutation, sends_a_pair_to_every_pair_of_places_exactly_once) {
  constexpr std::uint64_t p = 7;
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (std::uint64_t factor = 1; factor < p; ++factor)
    for (std::uint64_t shift = 0; shift < p; ++shift) {
      const AffinePermutation permutation{p, factor, shift};
      pairs.emplace(permutation(2), permutation(5));
    }
  EXPECT_EQ(pairs.size(), p * (p - 1));
}

TEST(Primes, are_recognised) {
  EXPECT_TRUE(is_prime_or_one(1) && is_prime_or_one(2) && is_prime_or_one(97) && is_prime_or_one(2147483647));
  EXPECT_FALSE(is_prime_or_one(0) || is_prime_or_one(4) || is_prime_or_one(91) || is_prime_or_one(25));
}

}  // namespace
}  // namespace attest::monte_carlo
