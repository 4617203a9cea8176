#include "theorems/mechanisms/attention_matrix.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace attest::mechanisms {
namespace {

using rigor::Ball;

constexpr double unit_roundoff = 0x1p-53;
/// Logits up to 6 err by 20 units, weights by as much and 10 of their own, sums of three of size 2 by twice that.
constexpr double rounding = 200 * unit_roundoff;

const std::vector<double> queries{0.5, -1, 2, 0.25, 0, 1};
const std::vector<double> keys{1, 1, -0.5, 0.75, 0.3, -2};
const std::vector<double> values{1, -2, 0.5};
const std::vector<Weighting> weightings{
    {}, {.causal = true}, {.similarity = Similarity::euclidean}, {.similarity = Similarity::euclidean, .causal = true}};

TEST(AttentionMatrix, of_equal_keys_is_the_mean) {
  const std::vector<double> equal{1, 2, 1, 2, 1, 2};
  for (const double entry : attention_matrix(queries, equal, 2, 1.5)) EXPECT_NEAR(entry, 1.0 / 3, rounding);
}

TEST(AttentionMatrix, of_the_library_agrees_with_the_formula_in_balls) {
  const auto q = rigor::to_balls(queries, 3, 2), k = rigor::to_balls(keys, 3, 2);
  for (const Weighting& weighting : weightings) {
    const auto a = attention_matrix(queries, keys, 2, 1.5, weighting);
    const auto balls = attention_matrix(q, k, Ball(1.5), weighting);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], balls.entries[i].mid(), rounding);
  }
  const auto twice = twiced(queries, keys, 2, 1.5, values);
  const auto matrix = attention_matrix(queries, keys, 2, Ball(1.5));
  const auto enclosed = twiced(matrix, rigor::to_balls(values));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(twice[i], enclosed[i].mid(), rounding);
  const auto entries = twicing_matrix(queries, keys, 2, 1.5);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(entries[i], twicing_matrix(matrix).entries[i].mid(), rounding);
}

TEST(AttentionMatrix, makes_twicing_rows_that_sum_to_one) {
  const auto matrix = twicing_matrix(attention_matrix(queries, keys, 2, Ball(1.5)));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(rigor::sum(matrix.row(i)).contains(1.0));
}

// Two tokens 1 and -1 of one feature. Dot products: weights e and 1/e, so f(1) = tanh(1). Distances: 4 / h_y^2 = 2, so
// the weights are 1 and e^-2 and f(1) is tanh(1) again.
TEST(SelfAttention, is_a_hyperbolic_tangent_for_two_opposite_tokens) {
  const std::vector<double> tokens = {1, -1};
  for (const Similarity similarity : {Similarity::dot_product, Similarity::euclidean}) {
    EXPECT_NEAR(attend(tokens, 1, similarity)[0], std::tanh(1.0), rounding);
    EXPECT_NEAR(attend(tokens, 1, similarity)[1], -std::tanh(1.0), rounding);
    const auto balls = attend(rigor::to_balls(tokens, 2, 1), similarity);
    EXPECT_TRUE(overlaps(balls(0, 0), tanh(rigor::Ball(1))));
    EXPECT_GT(balls(0, 0).relative_accuracy_bits(), 100);
  }
}

TEST(SelfAttention, leaves_equal_tokens_as_they_are) {
  const std::vector<double> tokens = {0.25, -0.5, 0.25, -0.5, 0.25, -0.5};
  const auto out = attend(tokens, 2, Similarity::dot_product);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], tokens[i], rounding);
}

TEST(SelfAttention, agrees_between_the_two_arithmetics) {
  const std::vector<double> tokens = {0.5, -1, 0.75, 2, -0.125, 0.25};
  for (const Similarity similarity : {Similarity::dot_product, Similarity::euclidean}) {
    const auto out = attend(tokens, 2, similarity);
    const auto balls = attend(rigor::to_balls(tokens, 3, 2), similarity);
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(balls.entries[i].mid(), out[i], rounding);
  }
}

}  // namespace
}  // namespace attest::mechanisms
