#include "simulations/measure/untrained/correlation_maps.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"

namespace attest::measure {
namespace {

constexpr double rounding = 1e-13;

TEST(CorrelationLogits, has_its_parts_where_they_are_said_to_be) {
  Eigen::MatrixXd tokens(2, 4), positions(2, 4);
  tokens << 1, 2, 0, 0, 0, 1, 3, 0;
  positions << 0, 1, 0, 1, 1, 0, 1, 0;
  const Eigen::MatrixXd logits = correlation_logits(tokens, positions);
  EXPECT_NEAR(logits(0, 1), 2.0 / 2, rounding);  // token 0 with token 1
  EXPECT_NEAR(logits(0, 3), 1.0 / 2, rounding);  // token 0 with position 1
  EXPECT_NEAR(logits(2, 1), 1.0 / 2, rounding);  // position 0 with token 1
  EXPECT_NEAR(logits(3, 3), 2.0 / 2, rounding);  // position 1 with itself
}

TEST(CovarianceOverPlaces, leaves_the_diagonal_out) {
  Eigen::MatrixXd a(2, 2), b(2, 2);
  a << 100, 1, 3, -50;
  b << -7, 5, 2, 1000;
  EXPECT_NEAR(covariance_over_places(a, b), (1 * 5 + 3 * 2) / 2.0 - 2 * 3.5, rounding);
}

/// Sequences of 24 tokens of 8 features: independent normal ones, plus `pattern` times the place's own fixed vector.
Sequences with_pattern(double pattern) {
  Sequences sequences;
  sequences.name = "drawn";
  sequences.unit = "window";
  sequences.features = 8;
  sequences.lengths = {24};
  sequences.usual_length = 24;
  sequences.draw = [pattern](std::uint64_t sample, std::size_t length) {
    Eigen::MatrixXd tokens(static_cast<Eigen::Index>(length), 8);
    random::Stream own(3, random::stream_key("test/tokens"), 1 + sample),
        fixed(3, random::stream_key("test/tokens"), 0);
    for (double& entry : tokens.reshaped()) entry = own.normal() + pattern * fixed.normal();
    return tokens;
  };
  return sequences;
}

Estimate share(const Measurement& measurement, const char* part) {
  for (const Quantity& quantity : measurement.quantities)
    if (quantity.where == part) return quantity.estimate;
  return {NAN, NAN, NAN, 0};
}

TEST(AddCorrelationMaps, finds_no_pattern_in_what_has_none_and_nothing_else_in_positions) {
  Measurement measurement;
  add_correlation_maps(measurement, with_pattern(0), {1, 1, 128});
  // Intervals of 95 %: twice as wide they miss with probability below 1e-3.
  for (const char* part : {"token to token", "token to position", "position to token"}) {
    const Estimate found = share(measurement, part);
    EXPECT_LE(std::fabs(found.value), found.upper - found.lower) << part;
  }
  EXPECT_NEAR(share(measurement, "position to position").value, 1, rounding);
  ASSERT_EQ(measurement.figures.size(), 1U);
  EXPECT_EQ(measurement.figures.front().heat->z.size(), 48U * 48);
}

TEST(AddCorrelationMaps, finds_the_share_of_a_pattern) {
  // A token is N(0, 1) + m: its logit with position p_j varies over sequences by |p_j|^2 = 4 a place, and over places
  // by about as much where the m are standard normal too: half of the variance.
  Measurement measurement;
  add_correlation_maps(measurement, with_pattern(1), {1, 1, 512});
  const Estimate found = share(measurement, "token to position");
  EXPECT_GT(found.lower, 0.35);
  EXPECT_LT(found.upper, 0.65);
}

}  // namespace
}  // namespace attest::measure
