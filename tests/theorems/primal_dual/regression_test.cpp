#include "theorems/primal_dual/regression.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

// Of 128 bits at most 28 are lost.
constexpr double narrow = 0x1p-100;

TEST(AttentionRegression, has_the_closed_form_of_a_single_key) {
  // One key: h(k) = Phi(k)'Phi(k), so K = 1 / h(k); without bias beta = (y - epsilon) h(k) and v = y - epsilon.
  const Inputs inputs{{"keys", {1, -0.5}}, {"targets", {2}}, {"epsilon", {0.25}}};
  const auto exact = solve_exactly(regression(inputs, 1, 2, false));
  ASSERT_TRUE(exact.has_value());
  EXPECT_TRUE(overlaps(exact->weight_norm_squared(), 1.75 * 1.75 * exp(1.25 / sqrt(Ball(2)))));
  EXPECT_LE(exact->weight_norm_squared().radius(), 16 * narrow);
}

TEST(AttentionRegression, pays_slack_where_the_box_binds) {
  const Inputs inputs{{"keys", {1, -0.5}}, {"targets", {2}}, {"epsilon", {0.25}}, {"C", {0.5}}};
  const auto exact = solve_exactly(regression(inputs, 1, 2, false));
  ASSERT_TRUE(exact.has_value());
  EXPECT_EQ(exact->places[0], svr::Place::upper_bound);
  EXPECT_TRUE(overlaps(exact->slack(), 1.75 - 0.5 / exp(1.25 / sqrt(Ball(2)))));
  EXPECT_LE(exact->slack().radius(), narrow);
}

TEST(AttentionRegression, leaves_degenerate_and_unreachable_problems_alone) {
  // A target exactly on the edge of the tube: whether it is a support vector is a matter of rounding.
  const Inputs on_the_edge{{"keys", {1, -0.5}}, {"targets", {0.25}}, {"epsilon", {0.25}}};
  EXPECT_FALSE(solve(regression(on_the_edge, 1, 2, false)).has_value());
  const Inputs contradicting{{"keys", {1, 0, 1, 0}}, {"targets", {1, -1}}, {"epsilon", {0.25}}};
  EXPECT_FALSE(solve(regression(contradicting, 2, 2, false)).has_value());
}

TEST(AttentionRegression, refuses_inputs_of_another_size) {
  const Inputs inputs{{"keys", {1, -0.5, 2}}, {"targets", {2}}, {"epsilon", {0.25}}};
  EXPECT_THROW(regression(inputs, 1, 2, false), std::invalid_argument);
}

TEST(Keys, give_a_symmetric_gram_matrix) {
  const std::vector<double> rows{0.3, -1.2, 0.7, 0.4, -0.9, 1.1};
  const Keys<double> keys(rows, 2);
  const auto gram = keys.gram();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(gram[i * 3 + j], gram[j * 3 + i]);
  }
  EXPECT_NEAR(keys.similarity(keys.row(0), 1), std::exp((0.3 * 0.7 - 1.2 * 0.4) / std::sqrt(2.0)),
              6 * tests::unit_roundoff);  // of exponents below 1/2
}

}  // namespace
}  // namespace attest::primal_dual
