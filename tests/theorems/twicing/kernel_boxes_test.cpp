#include "theorems/twicing/kernel_boxes.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "kernels/rigor/ball.hpp"

namespace attest::twicing {
namespace {

using rigor::Ball;

TEST(KernelBoxes, mixtures_are_densities_whose_weights_sum_to_one_exactly) {
  const std::vector<double> x{0.1, -1.3, 0.7, 0.2, 1.1};  // 0.1 is no dyadic number: 1 - weight must be taken in balls
  EXPECT_TRUE(symmetric_mixture<Ball>(mixture_inputs(x)).moment(0).contains(1.0));
  EXPECT_TRUE(symmetric_mixture<Ball>(mixture_inputs(x)).moment(1).contains_zero());
  EXPECT_FALSE(mixture<Ball>(mixture_inputs(x)).moment(1).contains_zero());
}

TEST(KernelBoxes, quadrature_agrees_with_the_closed_moments_at_the_corners_of_the_box) {
  for (const double variance : {0.05, 2.0}) {
    const std::vector<double> x{0.95, -2, 2, variance, 2.05 - variance};
    const auto kernel = symmetric_mixture<double>(mixture_inputs(x));
    for (const int k : {0, 2, 4}) {
      EXPECT_NEAR(moment_by_quadrature(kernel, k) / kernel.moment(k), 1.0, quadrature_error);
      const double size = kernel.convolved(kernel).moment(k) + 2 * kernel.moment(k);
      const auto twicing = regression::twiced(kernel);
      EXPECT_NEAR(moment_by_quadrature(twicing, k), twicing.moment(k), quadrature_error * size);
    }
  }
}

TEST(KernelBoxes, the_polynomial_box_reaches_every_compact_kernel) {
  const engine::IdentityProblem p = on_polynomials();
  ASSERT_EQ(p.corners.size(), regression::polynomial_kernels().size());
  for (std::size_t i = 0; i < p.corners.size(); ++i) {
    EXPECT_EQ(&polynomial_kernel(p.decode(p.corners[i])), regression::polynomial_kernels()[i]);
  }
}

}  // namespace
}  // namespace attest::twicing
