#include "theorems/twicing/attention_point.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::twicing {
namespace {

using spectra::AttentionFamily;

// A logit of up to 200 for the peaked family has two roundings, which its exponential passes on; a few others besides,
// and twice where it is divided by a sum of such.
constexpr double rounding = 2 * (200 + 4) * tests::unit_roundoff;

TEST(AttentionPoint, gives_the_same_matrices_in_double_precision_and_as_enclosures_for_every_family) {
  for (int i = 0; i < spectra::attention_family_count; ++i) {
    const auto family = static_cast<AttentionFamily>(i);
    const AttentionShape shape = family_shape(family, 5, 3);
    const engine::Inputs inputs = family_inputs(family, 5, 3, 7);
    const Eigen::MatrixXd a = attention(inputs, shape);
    const Eigen::MatrixXd w = weights(inputs, shape);
    const rigor::BallMatrix ball_a = ball_attention(inputs, shape);
    const rigor::BallMatrix ball_w = ball_weights(inputs, shape);
    for (std::size_t r = 0; r < 5; ++r) {
      for (std::size_t c = 0; c < 5; ++c) {
        const auto row = static_cast<Eigen::Index>(r);
        const auto col = static_cast<Eigen::Index>(c);
        EXPECT_NEAR(a(row, col), ball_a(r, c).mid(), 2 * rounding) << spectra::name(family);
        EXPECT_NEAR(w(row, col), ball_w(r, c).mid(), rounding * ball_w(r, c).mid()) << spectra::name(family);
      }
    }
  }
}

TEST(AttentionPoint, splits_a_flat_vector_into_queries_and_keys) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const AttentionShape independent{.tokens = 2, .features = 2};
  const AttentionShape shared{.tokens = 2, .features = 2, .shared = true};
  EXPECT_EQ(coordinates(independent), 8U);
  EXPECT_EQ(coordinates(shared), 4U);
  EXPECT_EQ(queries_and_keys(x, independent), (engine::Inputs{{"q", {1, 2, 3, 4}}, {"k", {5, 6, 7, 8}}}));
  EXPECT_EQ(queries_and_keys(x, shared), (engine::Inputs{{"q", {1, 2, 3, 4}}}));
}

TEST(AttentionPoint, tells_equal_rows_from_distinct_ones) {
  const AttentionShape shape{.tokens = 3, .features = 2, .shared = true};
  EXPECT_TRUE(rows_distinct(engine::Inputs{{"q", {1, 2, 1, 3, 2, 2}}}, shape));
  EXPECT_FALSE(rows_distinct(engine::Inputs{{"q", {1, 2, 5, 3, 1, 2}}}, shape));
}

TEST(AttentionPoint, refuses_inputs_of_another_size) {
  EXPECT_THROW(ball_weights(engine::Inputs{{"q", {1, 2, 3}}}, {.tokens = 2, .features = 2, .shared = true}),
               std::invalid_argument);
  EXPECT_THROW(attention(engine::Inputs{{"q", {1, 2}}}, {.tokens = 2, .features = 1}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::twicing
