#include "simulations/training/attention_entropy.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::training {

using models::AttentionCall;
namespace {

using at::Tensor;

/// Entropies of one head of one feature with these queries and keys, [B][N] each.
std::vector<HeadEntropy> entropies(const Tensor& queries, const Tensor& keys, const char* mechanism = "softmax",
                                   bool causal = false, std::vector<Index> lengths = {}) {
  const Tensor qkv = at::stack({queries, keys, at::ones_like(keys)}, 2);
  const AttentionCall call{&attention::find_mechanism(mechanism), {}, causal, std::move(lengths)};
  const Tensor none;
  return entropies_of({3, none, qkv, call, {}, none, none, none}, 1);
}

Tensor numbers(std::vector<double> values) { return at::tensor(values, at::kDouble).unsqueeze(0); }

double of_two(double logit) {
  const double p = 1 / (1 + std::exp(-logit));
  return -(p * std::log(p) + (1 - p) * std::log(1 - p)) / std::log(2.0);
}

TEST(Entropies, are_those_of_the_rows_in_shares_of_the_uniform_one) {
  const auto found = entropies(numbers({1, 2}), numbers({0.5, 0}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].layer, 3);
  // Logits of about 1, through an exponential, a division and two logarithms: some ten roundings of numbers below 2.
  constexpr double rounding = 20 * tests::unit_roundoff;
  EXPECT_NEAR(found[0].mean, (of_two(0.5) + of_two(1)) / 2, rounding);
  EXPECT_NEAR(found[0].least, of_two(1), rounding);
}

TEST(Entropies, are_one_where_rows_are_uniform_and_nought_where_one_key_takes_all) {
  EXPECT_GT(entropies(numbers({0, 0, 0}), numbers({1, 2, 3}))[0].least, 1 - Watch::uniform);
  EXPECT_LT(entropies(numbers({99, 99}), numbers({0, 99}))[0].mean, Watch::one_key);
}

TEST(Entropies, count_the_keys_that_a_query_may_see) {
  // Uniform over what each sees: the first query of a causal model sees itself alone and is left out.
  EXPECT_GT(entropies(numbers({0, 0, 0}), numbers({1, 2, 3}), "softmax", true)[0].least, 1 - Watch::uniform);
  EXPECT_GT(entropies(numbers({0, 0, 0}), numbers({1, 2, 3}), "softmax", false, {2})[0].least, 1 - Watch::uniform);
  EXPECT_TRUE(entropies(numbers({0, 0, 0}), numbers({1, 2, 3}), "softmax", false, {1}).empty());
}

TEST(Entropies, say_nothing_of_matrices_that_are_no_distributions) {
  for (const char* mechanism : {"twicing", "graph-diffusion"})
    EXPECT_TRUE(entropies(numbers({-3, 3}), numbers({1, -1}), mechanism).empty()) << mechanism;
}

}  // namespace
}  // namespace attest::training
