#include "kernels/spectra/kernel_powers.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/matrix_polynomial.hpp"
#include "tests/support/rounding.hpp"

namespace attest::spectra {
namespace {

struct Example {
  Eigen::MatrixXd w = gaussian_kernel(random_normal_matrix(60, 2, 1, 2, 3), 0.5);
  Eigen::MatrixXd v = random_normal_matrix(60, 3, 1, 2, 4);
};

/// log10 of the distance in the norm |.|_D by as many products.
double by_products(const Example& e, int n, bool twiced) {
  const Eigen::VectorXd d = e.w.rowwise().sum();
  const Eigen::MatrixXd a = row_normalised(e.w);
  const auto distance = [&](const Eigen::MatrixXd& u) {
    const Eigen::RowVectorXd mean = d.transpose() * u / d.sum();
    return (d.cwiseSqrt().asDiagonal() * (u.rowwise() - mean)).norm();
  };
  return std::log10(distance(twiced ? apply_twicing_power(a, n, e.v) : apply_power(a, n, e.v)) / distance(e.v));
}

// Forty of 58 eigenvalues leave out those below 1e-6, relatively.
constexpr double resolved = 1e-6;

TEST(KernelPowers, enclose_what_products_give) {
  const Example e;
  const KernelPowers few(e.w, e.v, 5), many(e.w, e.v, 40);
  for (const int n : {1, 3, 20, 60})
    for (const bool twiced : {false, true}) {
      const double expected = by_products(e, n, twiced);
      // A step by products rounds 60 terms of what was there in the beginning, or rather of its mean: thrice as often
      // twiced.
      const double products =
          (twiced ? 3 : 1) * n * 60 * tests::unit_roundoff * std::pow(10, -expected) / std::numbers::ln10;
      for (const KernelPowers* powers : {&few, &many}) {
        const auto decay = twiced ? powers->twiced(n) : powers->plain(n);
        EXPECT_LE(decay.interval.lower, expected + products) << n << twiced;
        EXPECT_GE(decay.interval.upper, expected - products) << n << twiced;
        EXPECT_TRUE(decay.interval.contains(decay.value));
      }
      if (n >= 20) {
        // What the interval says that the rest of the spectrum may be, and eigenvectors off by 1e-10.
        const auto decay = twiced ? many.twiced(n) : many.plain(n);
        const double error = decay.interval.width() + 1e-10 + products;
        EXPECT_NEAR(decay.value, expected, error) << n << twiced;
        EXPECT_LE(error, resolved) << n << twiced;
      }
    }
}

TEST(KernelPowers, of_a_million_million_steps_follow_the_second_eigenvalue) {
  const Example e;
  const KernelPowers powers(e.w, e.v, 10);
  const double gap = 1 - powers.eigenvalues().front();
  // log10 |c_2| is all that is left beside n log10 mu: between -2 and 0 for this V, but for the roundings of log mu.
  const double n = 1e12, rounding = 4 * n * tests::unit_roundoff;
  const double plain = powers.plain(n).value - n * std::log10(1 - gap),
               twiced = powers.twiced(n).value - n * std::log1p(-gap * gap) / std::numbers::ln10;
  for (const double left : {plain, twiced}) {
    EXPECT_GE(left, -2 - rounding);
    EXPECT_LE(left, rounding);
  }
  EXPECT_TRUE(powers.plain(n).interval.contains(powers.plain(n).value));
}

TEST(KernelPowers, refuse_shapes_that_do_not_match) {
  const Example e;
  EXPECT_THROW(KernelPowers(e.w, e.v, 0), std::invalid_argument);
  EXPECT_THROW(KernelPowers(e.w, e.v, 59), std::invalid_argument);
  EXPECT_THROW(KernelPowers(e.w, e.v.topRows(5), 3), std::invalid_argument);
}

}  // namespace
}  // namespace attest::spectra
