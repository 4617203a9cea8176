#include "kernels/random/stream.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/random/philox_known_answers.hpp"

namespace attest::random {
namespace {

TEST(Philox, agrees_with_the_published_known_answers) {
  for (const PhiloxAnswer& known : philox_known_answers) {
    const auto& [c, k, expected] = known;
    const philox4x32_ctr_t out = philox4x32_R(10, {{c[0], c[1], c[2], c[3]}}, {{k[0], k[1]}});
    EXPECT_EQ((std::array<std::uint32_t, 4>{out.v[0], out.v[1], out.v[2], out.v[3]}), expected);
  }
}

TEST(Stream, lays_out_the_counter_as_documented) {
  EXPECT_EQ(Stream(0, 0, 0).bits(0), 0xe169c58d6627e8d5U);
  EXPECT_EQ(Stream(0, 0, 0).bits(1), 0x9b00dbd8bc57ac4cU);
  EXPECT_EQ(Stream(~0ULL, ~0U, (1ULL << 48) - 1).bits((1ULL << 49) - 1), 0x6d5451fda20bc7c6U);
  // Counter 243f6a88 85a308d3 13198a2e 03707344: index 0x08d3243f6a88, sample 0x85a313198a2e, claim 0x03707344.
  EXPECT_EQ(Stream(0x299f31d0a4093822U, 0x03707344U, 0x85a313198a2eU).bits(2 * 0x08d3243f6a88U), 0x94fdccebd16cfe09U);
}

TEST(Stream, is_a_pure_function_of_seed_claim_sample_and_index) {
  Stream forward(7, 3, 11);
  std::vector<std::uint64_t> words(101);
  for (auto& word : words) word = forward.next_u64();
  const Stream other(7, 3, 11);
  for (std::size_t i = words.size(); i-- > 0;) EXPECT_EQ(other.bits(i), words[i]);
  Stream jumping(7, 3, 11);
  for (const std::uint64_t i : {50U, 7U, 51U, 0U}) {
    jumping.seek(i);
    EXPECT_EQ(jumping.next_u64(), words[i]);
    EXPECT_EQ(jumping.next_u64(), words[i + 1]);
    EXPECT_EQ(jumping.position(), i + 2);
  }
}

TEST(Stream, every_call_takes_one_word) {
  Stream mixed(1, 2, 3);
  mixed.normal();
  mixed.uniform();
  mixed.integer(6);
  mixed.uniform(2, 3);
  EXPECT_EQ(mixed.next_u64(), Stream(1, 2, 3).bits(4));
}

TEST(Stream, differs_where_any_of_its_names_differs) {
  std::set<std::uint64_t> words;
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32, 1ULL << 63}) {
    for (const std::uint32_t key : {0U, 1U, 1U << 31}) {
      for (const std::uint64_t sample : {0ULL, 1ULL, 1ULL << 31, 1ULL << 32, 1ULL << 47}) {
        for (const std::uint64_t index : {0ULL, 1ULL, 2ULL, 1ULL << 33, 1ULL << 48}) {
          words.insert(Stream(seed, key, sample).bits(index));
        }
      }
    }
  }
  EXPECT_EQ(words.size(), 4U * 3U * 5U * 5U);
  EXPECT_THROW(Stream(0, 0, 1ULL << 48), std::invalid_argument);
}

TEST(Stream, uniform_is_open_at_both_ends) {
  EXPECT_EQ(Stream::to_unit(0), 0x1p-53);
  EXPECT_EQ(Stream::to_unit(~0ULL), 1 - 0x1p-53);
  EXPECT_EQ(Stream::to_unit(~0ULL) + Stream::to_unit(0), 1.0);
}

// One chi-square over six cells, at error probability 1e-9: P(chi2_5 > 51.1) = 1e-9 (see chi-square tail, 5 degrees).
TEST(Stream, integers_are_uniform) {
  Stream stream(5, stream_key("integers"), 0);
  constexpr int draws = 60'000;
  std::vector<int> counts(6, 0);
  for (int i = 0; i < draws; ++i) ++counts[stream.integer(6)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - draws / 6.0) * (count - draws / 6.0) / (draws / 6.0);
  EXPECT_LT(chi_square, 51.1);
}

TEST(ClaimKey, is_fnv1a) {
  EXPECT_EQ(stream_key(""), 0x811c9dc5U);
  EXPECT_EQ(stream_key("a"), 0xe40c292cU);
  EXPECT_EQ(stream_key("foobar"), 0xbf9cf968U);
}

}  // namespace
}  // namespace attest::random
