#include "kernels/attention/attend/block_logits.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

double norm(const Tensor<float>& array, Index row) {
  double sum = 0;
  for (Index d = 0; d < array.extent(3); ++d) sum += std::pow(static_cast<double>(array.at(0, 0, row, d)), 2);
  return std::sqrt(sum);
}

/// Queries and keys of one head whose norms, with the scale, multiply to `product` for all pairs.
TestProblem<float> with_norms(Index tokens, Index dim, double product, bool one_sign, std::uint64_t seed) {
  auto p = random_problem<float>({1, 1, tokens, tokens, dim, 16}, seed);
  p.options.scale = 1;
  for (Tensor<float>* array : {&p.q, &p.k})
    for (Index i = 0; i < tokens; ++i) {
      const double factor = std::sqrt(product) / norm(*array, i);
      for (Index d = 0; d < dim; ++d) {
        float& entry = array->at(0, 0, i, d);
        entry = static_cast<float>(factor) * (one_sign ? std::abs(entry) : entry);
      }
    }
  return p;
}

TEST(BlockLogits, has_the_limit_of_its_formula) {
  EXPECT_FLOAT_EQ(narrow_limit(1), 8);
  // One sum of 8: 8 / sqrt((1 + ... + 8) / 64).
  EXPECT_FLOAT_EQ(narrow_limit(8), static_cast<float>(8 / std::sqrt(36.0 / 64)));
  // Two sums of 32, and their sum once.
  EXPECT_FLOAT_EQ(narrow_limit(64), static_cast<float>(8 / std::sqrt((2 * 528.0 + 64) / 4096)));
}

TEST(KeyNorms, are_those_that_the_problem_brings_or_the_squared_norms_of_its_keys) {
  const Index keys = 70, heads = 2;  // two tiles, the second not full
  const auto t = random_problem<float>({1, heads, 4, keys, 20, 8}, 34);
  AttendProblem<float> p;
  p.batch = 1, p.heads = heads, p.queries = 4, p.keys = keys, p.dim = 20, p.value_dim = 8;
  p.k = heads_view(t.k);
  const KeyNorms<float> found(p);
  const AlignedArray<float> squares = squared_key_norms(p);
  for (Index h = 0; h < heads; ++h)
    for (Index j = 0; j < keys; ++j) {
      double sum = 0;
      for (Index d = 0; d < 20; ++d) sum += std::pow(static_cast<double>(t.k.at(0, h, j, d)), 2);
      EXPECT_FLOAT_EQ(found.of(0, h)[j], static_cast<float>(sum));
      EXPECT_EQ(squares[static_cast<std::size_t>(h * keys + j)], found.of(0, h)[j]);
    }
  // Every third number, backwards by head.
  std::vector<float> brought(static_cast<std::size_t>(3 * heads * keys), -1);
  for (Index h = 0; h < heads; ++h)
    for (Index j = 0; j < keys; ++j)
      brought[static_cast<std::size_t>(3 * ((heads - 1 - h) * keys + j))] = static_cast<float>(100 * h + j);
  p.key_squares = {brought.data() + 3 * (heads - 1) * keys, 0, -3 * keys, 3};
  const KeyNorms<float> taken(p);
  for (Index h = 0; h < heads; ++h) {
    for (Index j = 0; j < keys; ++j) EXPECT_EQ(taken.of(0, h)[j], static_cast<float>(100 * h + j));
    EXPECT_EQ(taken.largest(0, h, 0), static_cast<float>(100 * h + 63));
    EXPECT_EQ(taken.largest(0, h, 64), static_cast<float>(100 * h + 69));
  }
}

TEST(BlockLogits, keep_the_stated_error_on_both_sides_of_the_limit) {
  for (const Index dim : {8, 32, 64, 128})
    for (const double of_limit : {0.99, 1.01, 4.0}) {
      const double product = of_limit * static_cast<double>(narrow_limit(dim));
      expect_agreement(with_norms(150, dim, product, false, 31), "D = " + std::to_string(dim));
      // Logits of one sign are near the product itself, and their differences small.
      expect_agreement(with_norms(150, dim, product, true, 32), "one sign, D = " + std::to_string(dim));
    }
}

TEST(BlockLogits, of_one_query_do_not_depend_on_the_others_or_on_hidden_keys) {
  auto p = with_norms(130, 32, 0.5 * static_cast<double>(narrow_limit(32)), false, 33);
  p.options.mask.causal = true;
  const auto before = attend(p.q, p.k, p.v, p.options).out;
  constexpr Index changed = 70;  // in the second tile of queries and of keys
  for (Index d = 0; d < 32; ++d) p.q.at(0, 0, changed, d) *= 100;
  for (Index d = 0; d < 32; ++d) p.k.at(0, 0, changed, d) *= 100;
  const auto after = attend(p.q, p.k, p.v, p.options).out;
  for (Index i = 0; i < 130; ++i)
    for (Index d = 0; d < 16 && i < changed; ++d)
      EXPECT_EQ(before.at(0, 0, i, d), after.at(0, 0, i, d)) << "query " << i;
  expect_agreement(p, "large and small logits in one tile");
}

}  // namespace
}  // namespace attest::attention
