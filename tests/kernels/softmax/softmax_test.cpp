#include "kernels/softmax/softmax.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "kernels/spectra/symmetric_spectrum.hpp"
#include "tests/kernels/counter_uniform.hpp"

namespace attest::softmax {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unit = 0x1p-52;
// jacobian_norm's stated relative accuracy.
constexpr double secular_accuracy = 0x1p-44;

std::vector<double> random_logits(std::size_t n, double scale, std::uint64_t stream) {
  std::vector<double> logits(n);
  for (std::size_t i = 0; i < n; ++i) logits[i] = scale * (2 * counter_uniform(stream, i) - 1);
  return logits;
}

TEST(Softmax, agrees_with_the_definition_in_long_double) {
  for (const std::size_t n : {1U, 2U, 7U, 8U, 513U, 5000U}) {
    const std::vector<double> logits = random_logits(n, 30, n);
    std::vector<double> p(n);
    softmax(logits, p);
    const auto exact = softmax_reference(std::vector<long double>(logits.begin(), logits.end()));
    for (std::size_t i = 0; i < n; ++i) {
      const auto error = static_cast<double>(std::abs(p[i] - exact[i]) / exact[i]);
      ASSERT_LE(error, (8 + 60) * unit) << n << " entries, entry " << i;
    }
  }
}

TEST(Softmax, is_stable_where_the_naive_formula_is_not) {
  const std::vector<double> logits{1000, 999, -infinity};
  std::vector<double> p(3);
  softmax(logits, p);
  EXPECT_TRUE(std::isinf(std::exp(logits[0])));
  EXPECT_NEAR(p[0], 1 / (1 + std::exp(-1.0)), 4 * unit);
  EXPECT_EQ(p[2], 0);
  EXPECT_NEAR(log_sum_exp(logits), 1000 + std::log1p(std::exp(-1.0)), 4 * 1001 * unit);
}

TEST(Softmax, refuses_what_has_no_softmax) {
  std::vector<double> p(2);
  EXPECT_THROW(softmax(std::vector<double>{1, NAN}, p), std::invalid_argument);
  EXPECT_THROW(softmax(std::vector<double>{1, infinity}, p), std::invalid_argument);
  EXPECT_THROW(softmax(std::vector<double>{-infinity, -infinity}, p), std::invalid_argument);
  EXPECT_THROW(softmax(std::vector<double>{1}, p), std::invalid_argument);
  EXPECT_THROW(softmax(std::span<const double>(), std::span<double>()), std::invalid_argument);
}

TEST(SoftmaxPerturbation, is_the_distance_of_the_two_softmaxes) {
  const std::vector<double> c = random_logits(300, 3, 5), eta = random_logits(300, 1, 6);
  std::vector<long double> moved(c.begin(), c.end());
  for (std::size_t i = 0; i < c.size(); ++i) moved[i] += static_cast<long double>(eta[i]);
  const auto p = softmax_reference(std::vector<long double>(c.begin(), c.end())), q = softmax_reference(moved);
  long double squares = 0;
  for (std::size_t i = 0; i < c.size(); ++i) squares += (q[i] - p[i]) * (q[i] - p[i]);
  std::vector<double> scratch = eta;
  EXPECT_NEAR(SoftmaxPerturbation(c).norm(scratch), static_cast<double>(std::sqrt(squares)), 4 * unit);
  std::vector<double> zero(300, 0.0);
  EXPECT_EQ(SoftmaxPerturbation(c).norm(zero), 0);
}

TEST(JacobianNorm, is_one_half_for_two_equal_weights_and_the_weight_for_a_uniform_distribution) {
  EXPECT_DOUBLE_EQ(jacobian_norm(std::vector<double>{0.5, 0.5}), 0.5);
  EXPECT_DOUBLE_EQ(jacobian_norm(std::vector<double>(1000, 1e-3)), 1e-3);
  EXPECT_EQ(jacobian_norm(std::vector<double>{1, 0, 0}), 0);
  // Two weights p, 1 - p: the eigenvalue is 2 p (1 - p).
  EXPECT_NEAR(jacobian_norm(std::vector<double>{0.9, 0.1}), 0.18, 0.18 * secular_accuracy);
  EXPECT_NEAR(jacobian_norm(std::vector<double>{1, 1e-30}) / 2e-30, 1, secular_accuracy);
}

TEST(JacobianNorm, agrees_with_a_dense_eigensolver) {
  for (const double scale : {0.1, 1.0, 5.0, 20.0}) {
    std::vector<double> p = random_logits(60, scale, 7);
    softmax(p, p);
    const Eigen::Map<const Eigen::VectorXd> weights(p.data(), 60);
    const Eigen::MatrixXd jacobian = Eigen::MatrixXd(weights.asDiagonal()) - weights * weights.transpose();
    const double dense = spectra::symmetric_eigenvalues(jacobian).front();
    EXPECT_NEAR(jacobian_norm(p), dense, 0.5 * secular_accuracy) << scale;
  }
}

TEST(ApplyJacobian, multiplies_by_the_matrix) {
  std::vector<double> p = random_logits(20, 2, 8);
  softmax(p, p);
  const std::vector<double> v = random_logits(20, 1, 9);
  std::vector<double> result(20);
  apply_jacobian(p, v, result);
  const double mean = std::inner_product(p.begin(), p.end(), v.begin(), 0.0);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(result[i], p[i] * v[i] - p[i] * mean, 4 * unit * p[i]);
  EXPECT_THROW(jacobian_norm(std::vector<double>{0.5, 0.4}), std::invalid_argument);
  EXPECT_THROW(jacobian_norm(std::vector<double>{1.5, -0.5}), std::invalid_argument);
  EXPECT_THROW(jacobian_norm(std::vector<double>{1, NAN}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::softmax
