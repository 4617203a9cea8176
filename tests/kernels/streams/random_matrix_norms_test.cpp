#include "kernels/streams/random_matrix_norms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "kernels/spectra/operator_norm.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::streams {
namespace {

using random::Law;

const std::vector<Law> laws = {Law::gaussian(), Law::rademacher(),   Law::uniform(),
                               Law::laplace(),  Law::student_t(2.5), Law::sparse_three_point(0.1)};

Eigen::MatrixXd stored(Eigen::Index n, Eigen::Index d, const Noise& entries, std::uint64_t sample) {
  const Eigen::Index stride = (d + 15) / 16 * 16;
  std::vector<double> x(static_cast<std::size_t>(n * stride));
  operations<double>().back()->draw(entries.law, {entries.seed, entries.key, sample}, 0, x.data(), x.size());
  Eigen::MatrixXd v(n, d);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < d; ++j) v(i, j) = entries.scale * x[static_cast<std::size_t>(i * stride + j)];
  return v;
}

TEST(RandomMatrixNorms, are_those_of_the_same_matrix_stored) {
  for (const Law& law : laws)
    for (const auto& [n, d] : {std::pair{1, 1}, {3, 20}, {300, 7}, {5000, 33}}) {
      const Noise entries{law, 1.5, 3, 4};
      const Eigen::MatrixXd v = stored(n, d, entries, 2);
      const MatrixNorms norms =
          random_matrix_norms(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(d), entries, 2, 2);
      // d 2^-50, and what the other one's Gram matrix of n terms loses.
      const double tolerance = (d * 0x1p-50 + n * 0x1p-53) * v.norm();
      EXPECT_NEAR(norms.spectral, v.norm() > 0 ? spectra::operator_norm(v) : 0, tolerance) << name(law) << n;
      EXPECT_NEAR(norms.frobenius, v.norm(), tolerance) << name(law) << n;
      EXPECT_NEAR(norms.largest_row, v.rowwise().norm().maxCoeff(), tolerance) << name(law) << n;
    }
}

TEST(RandomMatrixNorms, have_a_gram_matrix_of_the_same_bits_for_any_number_of_threads_and_any_instructions) {
  const Noise entries{Law::laplace(), 1, 3, 4};
  const GramOfRows once = gram_of_random_rows(10'000, 37, entries, 0, 1, &gram_update_baseline);
  for (const unsigned threads : {1U, 2U, 7U}) {
    const GramOfRows again = gram_of_random_rows(10'000, 37, entries, 0, threads);
    EXPECT_EQ(again.gram, once.gram) << threads;
    EXPECT_EQ(again.largest_row_square, once.largest_row_square) << threads;
  }
}

// By Davidson's and Szarek's bound a gaussian matrix is above sqrt N + sqrt d + s with probability at most
// exp(-s^2/2): 1e-9 over the samples for s = 6.9. Below, the largest singular value is at least the norm of V u for one
// u, which is at least sqrt N - s.
TEST(RandomMatrixNorms, reach_the_edge_of_marchenko_and_pastur) {
  // The edge itself, by Tracy and Widom: norm^2 is edge^2 + edge (1/sqrt N + 1/sqrt d)^(1/3) X, where P(X > x) falls
  // like exp(-2/3 x^(3/2)) and P(X < -x) like exp(-x^3/24). Each is below 1e-6 here.
  const double edge = 200 + 8, scale = std::cbrt(1.0 / 200 + 1.0 / 8) / 2;
  constexpr double highest = 7.5, lowest = 6.9;
  for (std::uint64_t sample = 0; sample < 8; ++sample) {
    const double norm = random_matrix_norms(40'000, 64, {Law::gaussian(), 1, 3, 4}, sample, 2).spectral;
    EXPECT_LT(norm, 200 + 8 + 6.9);
    EXPECT_GT(norm, 200 - 6.9);
    EXPECT_LT(norm, edge + scale * highest);
    EXPECT_GT(norm, edge - scale * lowest);
  }
}

TEST(RandomMatrixNorms, have_a_gram_matrix_of_the_same_bits_on_a_device) {
  const auto found = device::cuda_devices();
  if (found.devices.empty()) GTEST_SKIP() << "nothing was compared: " << found.absence;
  const Noise entries{Law::laplace(), 1, 3, 4};
  const GramOfRows here = gram_of_random_rows(10'000, 37, entries, 0, 2),
                   there = gram_of_random_rows_on_cuda(10'000, 37, entries, 0);
  EXPECT_EQ(there.gram, here.gram);
  EXPECT_EQ(there.largest_row_square, here.largest_row_square);
}

TEST(RandomMatrixNorms, refuse_what_is_no_matrix) {
  EXPECT_THROW(random_matrix_norms(0, 3, {}, 0, 1), std::invalid_argument);
  EXPECT_THROW(random_matrix_norms(3, 5000, {}, 0, 1), std::invalid_argument);
  EXPECT_THROW(random_matrix_norms(3, 3, {Law::gaussian(), NAN}, 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::streams
