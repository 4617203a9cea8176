#include "theorems/twicing/capacity_integrals.hpp"

#include <gtest/gtest.h>

namespace attest::twicing {
namespace {

using rigor::Ball;

TEST(CapacityIntegrals, have_their_known_first_values) {
  // int (2x - x^2)^n: 1, 2/3, 8/15, 16/35.
  const std::int64_t numerators[] = {1, 2, 8, 16};
  const std::int64_t denominators[] = {1, 3, 15, 35};
  for (std::int64_t n = 0; n < 4; ++n) {
    const Ball known = Ball::from_rational(numerators[n], denominators[n]);
    EXPECT_TRUE(rigor::overlaps(capacity_of_twicing(Ball(n)), known)) << n;
    EXPECT_TRUE(rigor::overlaps(capacity_of_identity(Ball(n)), Ball::from_rational(1, n + 1))) << n;
  }
}

TEST(CapacityIntegrals, keep_their_accuracy_far_out) {
  // sqrt(pi) Gamma(n + 1) / (2 Gamma(n + 3/2)) by the duplication formula.
  const Ball n(1e12);
  const Ball known =
      rigor::sqrt(Ball::pi()) / Ball(2) * rigor::exp(rigor::lgamma(n + Ball(1)) - rigor::lgamma(n + Ball(1.5)));
  EXPECT_TRUE(rigor::overlaps(capacity_of_twicing(n), known));
  EXPECT_GT(capacity_of_twicing(n).relative_accuracy_bits(), 60);
}

TEST(CapacityIntegrals, carry_the_weight_of_a_density_at_one) {
  // s = 0 is not a weight; s = 1: int x^n (1 - x) = 1 / ((n+1)(n+2)) and int (1 - u^2)^n u du = 1 / (2 (n + 1)).
  for (const std::int64_t n : {0, 1, 7, 1000}) {
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_identity(Ball(n), 0), capacity_of_identity(Ball(n))));
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_twicing(Ball(n), 0), capacity_of_twicing(Ball(n))));
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_identity(Ball(n), 1), Ball::from_rational(1, (n + 1) * (n + 2))));
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_twicing(Ball(n), 1), Ball::from_rational(1, 2 * (n + 1))));
  }
}

}  // namespace
}  // namespace attest::twicing
