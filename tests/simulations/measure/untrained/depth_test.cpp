#include "simulations/measure/untrained/depth.hpp"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::measure {
namespace {

constexpr double rounding = 12 * 64 * tests::unit_roundoff;  // twelve layers of sums of at most 64 terms

TEST(MeanPairwiseCosine, is_the_mean_over_pairs_of_nonzero_tokens) {
  Eigen::MatrixXd tokens(4, 2);
  tokens << 1, 0, 2, 0, -3, 0, 0, 0;
  EXPECT_NEAR(mean_pairwise_cosine(tokens), -1.0 / 3, rounding);
  EXPECT_NEAR(mean_pairwise_cosine(5 * Eigen::MatrixXd::Identity(3, 3)), 0, rounding);
  EXPECT_NEAR(mean_pairwise_cosine(Eigen::MatrixXd::Constant(6, 3, -2)), 1, rounding);
}

TEST(MeanPairwiseCosine, needs_two_nonzero_finite_tokens) {
  Eigen::MatrixXd tokens = Eigen::MatrixXd::Zero(3, 2);
  EXPECT_THROW(mean_pairwise_cosine(tokens), std::invalid_argument);
  tokens(0, 0) = 1;
  EXPECT_THROW(mean_pairwise_cosine(tokens), std::invalid_argument);
  tokens(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(mean_pairwise_cosine(tokens), std::invalid_argument);
}

TEST(TraceDepth, keeps_identical_tokens_identical_under_every_rule) {
  Eigen::MatrixXd tokens(5, 3);
  for (auto token : tokens.rowwise()) token << 1, -2, 0.5;
  for (const double keep : {0.0, 0.5, 1.0}) {
    for (const bool twicing : {false, true}) {
      for (const bool normalised : {false, true}) {
        for (const DepthState& state :
             trace_depth(tokens, {"", residual::boosting_rule(1 - keep), twicing, normalised}, 4)) {
          EXPECT_NEAR(state.cosine, 1, rounding);
          EXPECT_NEAR(state.spread, 0, rounding);
        }
      }
    }
  }
}

TEST(TraceDepth, leaves_tokens_apart_that_attend_to_themselves_alone) {
  // Orthogonal tokens of length 50 in four dimensions: other tokens' weights are below exp(-1250).
  const Eigen::MatrixXd tokens = 50 * Eigen::MatrixXd::Identity(4, 4);
  for (const DepthState& state : trace_depth(tokens, {"", residual::ResidualRule{}}, 3))
    EXPECT_NEAR(state.cosine, 0, rounding);
}

TEST(TraceDepth, follows_two_tokens_as_worked_out_by_hand) {
  // Tokens +s and -s in one dimension, logits +-s^2: A y = tanh(s^2) y, so that the rules scale y, and the cosine stays
  // -1.
  Eigen::MatrixXd tokens(2, 1);
  tokens << 0.5, -0.5;
  for (const DepthState& state : trace_depth(tokens, {}, 3)) {
    EXPECT_NEAR(state.cosine, -1, rounding);
    EXPECT_NEAR(state.spread, 1, rounding);
  }
}

TEST(TraceDepth, collapses_close_tokens_without_residual_and_slower_with_twicing_or_boosting) {
  Eigen::MatrixXd tokens(6, 4);
  for (Eigen::Index i = 0; i < tokens.size(); ++i)
    tokens.data()[i] = 1 + 0.4 * std::sin(3.0 + 11.0 * static_cast<double>(i));
  const auto last = [&](const DepthRule& rule) { return trace_depth(tokens, rule, 2).back(); };
  const DepthState none = last({});
  const DepthState twicing = last({"", std::nullopt, true});
  const DepthState boosting = last({"", residual::boosting_rule(1)});
  EXPECT_GT(none.cosine, trace_depth(tokens, {}, 0).front().cosine);
  EXPECT_LT(none.spread, 0.01);
  EXPECT_GT(twicing.spread, none.spread);
  EXPECT_GT(boosting.spread, twicing.spread);
}

}  // namespace
}  // namespace attest::measure
