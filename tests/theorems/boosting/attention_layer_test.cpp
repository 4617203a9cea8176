#include "theorems/boosting/attention_layer.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::boosting {
namespace {

// Two tokens 1 and -1 of one feature. Dot products: weights e and 1/e, so f(1) = tanh(1). Distances: 4 / h_y^2 = 2, so
// the weights are 1 and e^-2 and f(1) is tanh(1) again.
TEST(AttentionLayer, is_a_hyperbolic_tangent_for_two_opposite_tokens) {
  const std::vector<double> tokens = {1, -1};
  for (const Similarity similarity : {Similarity::dot_product, Similarity::euclidean}) {
    EXPECT_DOUBLE_EQ(attend(tokens, 1, similarity)[0], std::tanh(1.0));
    EXPECT_DOUBLE_EQ(attend(tokens, 1, similarity)[1], -std::tanh(1.0));
    const auto balls = attend(rigor::to_balls(tokens, 2, 1), similarity);
    EXPECT_TRUE(overlaps(balls(0, 0), tanh(rigor::Ball(1))));
    EXPECT_GT(balls(0, 0).relative_accuracy_bits(), 100);
  }
}

TEST(AttentionLayer, leaves_equal_tokens_as_they_are) {
  const std::vector<double> tokens = {0.25, -0.5, 0.25, -0.5, 0.25, -0.5};
  const auto out = attend(tokens, 2, Similarity::dot_product);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_DOUBLE_EQ(out[i], tokens[i]);
}

TEST(AttentionLayer, agrees_between_the_two_arithmetics) {
  const std::vector<double> tokens = {0.5, -1, 0.75, 2, -0.125, 0.25};
  for (const Similarity similarity : {Similarity::dot_product, Similarity::euclidean}) {
    const auto out = attend(tokens, 2, similarity);
    const auto balls = attend(rigor::to_balls(tokens, 3, 2), similarity);
    // Logits up to 6 err by 16 units, weights by 20, sums of three by 30: below 100 units of outputs of size 2.
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_LE(std::fabs(balls.entries[i].mid() - out[i]), 200 * 0x1p-53);
  }
}

}  // namespace
}  // namespace attest::boosting
