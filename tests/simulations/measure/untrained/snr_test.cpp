#include "simulations/measure/untrained/snr.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::measure {
namespace {

const Eigen::RowVector2d u(3, 4);
const Eigen::RowVector2d eta(0, 2);
const Eigen::RowVector2d nothing(0, 0);

TEST(SnrTerms, are_the_quantities_of_the_proposition) {
  const SnrTerms terms = snr_terms(u, eta, u / 2, nothing).value();
  EXPECT_DOUBLE_EQ(terms.alpha, 0.5);
  EXPECT_DOUBLE_EQ(terms.beta, 1);
  EXPECT_EQ(terms.gamma, 0);
  EXPECT_DOUBLE_EQ(terms.bound, 1.5);
  EXPECT_DOUBLE_EQ(terms.ratio, 1.5);
  EXPECT_TRUE(terms.hypothesis_holds());
}

TEST(SnrTerms, of_turned_signal_and_kept_noise_fail_the_hypothesis) {
  const SnrTerms terms = snr_terms(u, eta, Eigen::RowVector2d(-4, 3), eta).value();  // a quarter turn
  EXPECT_NEAR(terms.beta, 0, 0x1p-50);
  EXPECT_DOUBLE_EQ(terms.gamma, 1);
  EXPECT_DOUBLE_EQ(terms.bound, std::sqrt(2.0) / 2);
  EXPECT_DOUBLE_EQ(terms.ratio, std::sqrt(2.0) / 2);
  EXPECT_FALSE(terms.hypothesis_holds());
}

TEST(SnrTerms, do_not_exist_without_signal_or_without_noise) {
  EXPECT_FALSE(snr_terms(nothing, eta, nothing, eta));
  EXPECT_FALSE(snr_terms(u, nothing, u, nothing));
  EXPECT_EQ(snr_terms(u, eta, nothing, nothing).value().beta, 0) << "a signal lost altogether has no direction";
}

TEST(Hypothesis, asks_for_shares_in_the_unit_interval_and_a_strict_inequality) {
  EXPECT_TRUE((SnrTerms{0.6, 0.7, 0.5, 0, 0}).hypothesis_holds());
  EXPECT_FALSE((SnrTerms{0.5, 0.7, 0.5, 0, 0}).hypothesis_holds());
  EXPECT_FALSE((SnrTerms{0.7, 0.4, 0.5, 0, 0}).hypothesis_holds());
  EXPECT_FALSE((SnrTerms{1.1, 0.9, 0.5, 0, 0}).hypothesis_holds());
  EXPECT_FALSE((SnrTerms{0.9, -0.1, 0, 0, 0}).hypothesis_holds());
  EXPECT_FALSE((SnrTerms{NAN, 0.9, 0.5, 0, 0}).hypothesis_holds());
}

// Eight tokens; noise that differs from token to token.
Eigen::MatrixXd some_noise() {
  Eigen::MatrixXd noise(8, 4);
  for (Eigen::Index i = 0; i < noise.size(); ++i) noise.data()[i] = std::sin(1.0 + 7.0 * static_cast<double>(i));
  return noise;
}

TEST(SnrParts, of_identical_tokens_keep_the_signal_and_average_the_noise) {
  const Eigen::MatrixXd clean = Eigen::MatrixXd::Constant(8, 4, 0.5);
  const SnrParts parts = snr_parts(clean, 0.1 * some_noise(), SnrReading::same_weights);
  const SnrTerms terms = snr_terms(parts.u, parts.eta, parts.u_hat, parts.eta_hat).value();
  constexpr double rounding = 32 * 0x1p-52;
  EXPECT_NEAR(terms.alpha, 1, rounding);
  EXPECT_NEAR(terms.beta, 1, rounding);
  EXPECT_LT(terms.gamma, 0.5);
  EXPECT_GT(terms.ratio, 1.3);
}

TEST(SnrParts, of_distant_tokens_leave_all_as_it_is) {
  // Orthogonal tokens of length 40: the weight of another token is below exp(-40^2/2 + ...), and A is the identity.
  const Eigen::MatrixXd clean = 40 * Eigen::MatrixXd::Identity(4, 4);
  const Eigen::MatrixXd noise = 0.1 * some_noise().topRows(4);
  for (const SnrReading reading : {SnrReading::same_weights, SnrReading::clean_response}) {
    const SnrParts parts = snr_parts(clean, noise, reading);
    EXPECT_TRUE(parts.u_hat.isApprox(clean)) << name(reading);
    EXPECT_TRUE(parts.eta_hat.isApprox(noise)) << name(reading);
    const SnrTerms terms = snr_terms(parts.u, parts.eta, parts.u_hat, parts.eta_hat).value();
    EXPECT_NEAR(terms.ratio, 1, 16 * 0x1p-52) << "no gain: the output is the input";
  }
}

TEST(SnrParts, add_up_to_the_smoothed_tokens_in_every_reading) {
  const Eigen::MatrixXd clean = 2 * some_noise().reverse();
  const Eigen::MatrixXd noise = 0.3 * some_noise();
  const SnrParts plain = snr_parts(clean, noise, SnrReading::same_weights);
  const SnrParts response = snr_parts(clean, noise, SnrReading::clean_response);
  const SnrParts limit = snr_parts(clean, noise, SnrReading::limit_subtracted);
  const Eigen::MatrixXd output = plain.u_hat + plain.eta_hat;
  EXPECT_TRUE(output.isApprox(response.u_hat + response.eta_hat));
  // What the limit's subtraction takes away is one and the same row for all tokens.
  const Eigen::MatrixXd taken = output - limit.u_hat - limit.eta_hat;
  EXPECT_TRUE(taken.isApprox(Eigen::VectorXd::Ones(8) * taken.row(0)));
}

TEST(SnrParts, with_the_limit_subtracted_are_smoothed_to_zero) {
  // Repeating A(y) on u - limit must tend to 0, or the limit was another.
  const Eigen::MatrixXd clean = 0.5 * some_noise();
  const Eigen::MatrixXd noise = 0.1 * some_noise().reverse();
  const SnrParts parts = snr_parts(clean, noise, SnrReading::limit_subtracted);
  // A is recovered from its action on the identity's columns: smooth them as the noise of zero signal.
  const Eigen::MatrixXd y = clean + noise;
  Eigen::MatrixXd a = (y * y.transpose() / 2).array().exp().matrix();
  a = (a.array().colwise() / a.rowwise().sum().array()).matrix().eval();
  EXPECT_TRUE(parts.u_hat.isApprox(a * parts.u));
  Eigen::MatrixXd smoothed = parts.u;
  constexpr int steps = 400;
  for (int n = 0; n < steps; ++n) smoothed = (a * smoothed).eval();
  constexpr double rounding = steps * 8 * tests::unit_roundoff;  // of eight terms a step
  EXPECT_LT(smoothed.norm(), rounding * parts.u.norm());
}

}  // namespace
}  // namespace attest::measure
