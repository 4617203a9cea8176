#include "theorems/boosting/exact_perturbation.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "kernels/softmax/softmax.hpp"
#include "kernels/spectra/operator_norm.hpp"

namespace attest::boosting {
namespace {

using rigor::Ball;

/// Softmax weights of these logits are good to about 12 ulp, and so is the mean of the norms, all below 1.
constexpr double softmax_rounding = 12 * 0x1p-52;

/// Mean of f(eta) over all 2^n sign patterns eta in {-1, 1}^n.
template <typename F>
double mean_over_signs(std::size_t n, F f) {
  double sum = 0;
  std::vector<double> eta(n);
  for (unsigned pattern = 0; pattern < (1U << n); ++pattern) {
    for (std::size_t i = 0; i < n; ++i) eta[i] = (pattern >> i & 1U) != 0 ? 1 : -1;
    sum += f(eta);
  }
  return sum / std::ldexp(1, static_cast<int>(n));
}

TEST(BinomialProbabilities, sum_to_one_and_know_the_ends) {
  const rigor::BallVector probabilities = binomial_probabilities(30, Ball::from_rational(1, 10));
  EXPECT_TRUE(rigor::sum(probabilities).contains(1.0));
  EXPECT_TRUE(overlaps(probabilities[0], pow(Ball::from_rational(9, 10), 30)));
  EXPECT_EQ(binomial_probabilities(3, Ball(1))[3].mid(), 1);
  EXPECT_EQ(binomial_probabilities(3, Ball(1))[2].mid(), 0);
}

TEST(TwoLevelPerturbation, is_the_mean_over_all_sign_patterns) {
  const double spread = 1.25, sigma = 0.75;
  std::vector<double> c(10, 0.0);
  c[0] = c[1] = c[2] = spread;
  const softmax::SoftmaxPerturbation softmax(c);
  const double mean = mean_over_signs(10, [&](std::vector<double> eta) {
    for (double& value : eta) value *= sigma;
    return softmax.norm(eta);
  });
  const Ball exact = two_level_perturbation(3, 7, Ball(spread), Ball(sigma));
  EXPECT_NEAR(exact.mid(), mean, softmax_rounding);
  constexpr double narrow = 0x1p-100;  // of 128 bits at most 28 are lost
  EXPECT_LT(exact.radius(), narrow);
}

TEST(SparseNoisePerturbation, agrees_with_sign_patterns_where_every_noise_is_a_spike) {
  // One of eight spikes of size 1 is missing with probability 8e-6, and all are larger by 5e-7; softmax moves by at
  // most half of that.
  const double rare = 0.5 * (8e-6 + 5e-7 * std::sqrt(8.0));
  EXPECT_NEAR(sparse_noise_perturbation(8, Ball::from_rational(999999, 1000000), Ball(1), 8).mid(),
              two_level_perturbation(8, 0, Ball(0), Ball(1)).mid(), rare);
}

TEST(SparseNoisePerturbation, encloses_the_full_sum_when_it_stops_early) {
  const Ball full = sparse_noise_perturbation(12, Ball::from_rational(1, 4), Ball(2), 12);
  const Ball early = sparse_noise_perturbation(12, Ball::from_rational(1, 4), Ball(2), 6);
  EXPECT_TRUE(early.contains(full));
  EXPECT_GT(early.radius(), full.radius());
}

TEST(AlternatingOutputPerturbation, is_the_mean_over_all_sign_patterns) {
  const double mean = mean_over_signs(8, [](std::vector<double> eta) {
    softmax::softmax(eta, eta);
    double output = 0;
    for (std::size_t i = 0; i < eta.size(); ++i) output += (i % 2 == 0 ? 1 : -1) * eta[i];
    return std::abs(output);
  });
  EXPECT_NEAR(alternating_output_perturbation(8, Ball(1)).mid(), mean, softmax_rounding);
}

// What cor_3_2.cpp uses of matrices with orthogonal columns of +-1.
TEST(SylvesterMatrix, has_operator_norm_sqrt_N_and_frobenius_norm_sqrt_dN) {
  Eigen::MatrixXd v = Eigen::MatrixXd::Ones(1, 1);
  while (v.rows() < 64) {
    Eigen::MatrixXd doubled(2 * v.rows(), 2 * v.cols());
    doubled << v, v, v, -v;
    v = doubled;
  }
  for (const Eigen::Index d : {8, 64}) {
    // The Gram matrix is 64 times the identity, exactly.
    EXPECT_DOUBLE_EQ(spectra::operator_norm(v.leftCols(d)), 8);
    EXPECT_DOUBLE_EQ(v.leftCols(d).norm(), std::sqrt(64.0 * static_cast<double>(d)));
  }
}

}  // namespace
}  // namespace attest::boosting
