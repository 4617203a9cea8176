#include "simulations/measure/untrained/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace attest::measure {
namespace {

constexpr double rounding = 64 * 0x1p-52;  // a small multiple of N eps for matrices of norm 1
constexpr double condition = 7;            // of the eigenvalues of a random one

TEST(AttentionEigenvalues, of_orthogonal_tokens_are_known) {
  // Logits s^2/sqrt(d) on the diagonal and 0 elsewhere: A = ((a - 1) I + 1 1^T)/(a + N - 1), a = exp(s^2/sqrt(d)).
  const double s = 1.5;
  const Eigen::MatrixXd tokens = s * Eigen::MatrixXd::Identity(4, 4);
  const double a = std::exp(s * s / 2);
  for (const bool symmetric : {true, false}) {
    const auto values = attention_eigenvalues(tokens, Eigen::MatrixXd::Identity(4, 4), symmetric);
    ASSERT_EQ(values.size(), 4U);
    EXPECT_NEAR(std::abs(values[0] - 1.0), 0, rounding);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(std::abs(values[i] - (a - 1) / (a + 3)), 0, rounding);
  }
}

TEST(AttentionEigenvalues, of_identical_tokens_are_one_and_zeros) {
  const Eigen::MatrixXd tokens = Eigen::MatrixXd::Constant(5, 4, 0.7);
  const auto values = attention_eigenvalues(tokens, Eigen::MatrixXd::Identity(4, 4), true);
  EXPECT_NEAR(values[0].real(), 1, rounding);
  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_NEAR(std::abs(values[i]), 0, rounding);
}

TEST(AttentionEigenvalues, do_not_depend_on_the_order_of_tokens) {
  // The bound under which `visible` of the measurement stands.
  random::Stream stream(9, random::stream_key("test/order"), 0);
  Eigen::MatrixXd tokens(40, 16);
  for (double& value : tokens.reshaped()) value = stream.normal();
  const Eigen::MatrixXd form = bilinear_form(Projection::independent, 16, stream);
  const auto values = attention_eigenvalues(tokens, form, false);
  for (const auto& value : attention_eigenvalues(tokens.colwise().reverse(), form, false)) {
    double nearest = 1;
    for (const auto& other : values) nearest = std::min(nearest, std::abs(value - other));
    EXPECT_LT(nearest, condition * rounding);
  }
}

TEST(AttentionEigenvalues, are_negative_when_tokens_attend_to_their_opposites) {
  // M = -2 I on tokens +1 and -1: each attends to the other; A = [[1, b], [b, 1]]/(1 + b), b = exp(4).
  Eigen::MatrixXd tokens(2, 1);
  tokens << 1, -1;
  const auto values = attention_eigenvalues(tokens, Eigen::MatrixXd::Constant(1, 1, -2), true);
  const double b = std::exp(4.0);
  EXPECT_NEAR(values[0].real(), 1, rounding);
  EXPECT_NEAR(values[1].real(), (1 - b) / (1 + b), rounding);
}

TEST(MeanPower, is_the_mean_of_the_powers_of_the_moduli) {
  const std::vector<std::complex<double>> values = {1.0, {0.0, 0.5}, -0.5};
  EXPECT_DOUBLE_EQ(mean_power(values, 2, false), (1 + 0.25 + 0.25) / 3);
  // 2 lambda - lambda^2: 1, i + 1/4, -1 - 1/4.
  EXPECT_DOUBLE_EQ(mean_power(values, 2, true), (1 + (1 + 0.0625) + 1.5625) / 3);
}

TEST(Eigencapacity, is_the_integral) {
  EXPECT_DOUBLE_EQ(eigencapacity(1, false), 0.5);
  EXPECT_DOUBLE_EQ(eigencapacity(4, false), 0.2);
  EXPECT_DOUBLE_EQ(eigencapacity(1, true), 2.0 / 3);
  EXPECT_DOUBLE_EQ(eigencapacity(2, true), 8.0 / 15);
}

TEST(BilinearForm, has_the_symmetry_that_its_name_says) {
  const auto form = [](Projection projection) {
    random::Stream stream(3, random::stream_key("test/forms"), 0);
    return bilinear_form(projection, 6, stream);
  };
  EXPECT_EQ(form(Projection::identity), Eigen::MatrixXd::Identity(6, 6));
  EXPECT_EQ(form(Projection::symmetric), form(Projection::symmetric).transpose());
  EXPECT_FALSE(form(Projection::independent).isApprox(form(Projection::independent).transpose()));
  const Eigen::MatrixXd shared = form(Projection::shared);
  EXPECT_TRUE(shared.isApprox(shared.transpose()));
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(
        6, [i](Eigen::Index k) { return std::sin(1.0 + i + 7.0 * static_cast<double>(k)); });
    EXPECT_GE(x.dot(shared * x), 0);
  }
}

}  // namespace
}  // namespace attest::measure
