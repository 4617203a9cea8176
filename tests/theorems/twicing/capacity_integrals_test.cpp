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
    EXPECT_TRUE(rigor::overlaps(capacity_of_twicing_by_duplication(Ball(n)), known)) << n;
    EXPECT_TRUE(rigor::overlaps(capacity_of_identity(Ball(n)), Ball::from_rational(1, n + 1))) << n;
  }
}

TEST(CapacityIntegrals, agree_between_their_three_forms) {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{5}, largest_expanded_power}) {
    const rigor::PrecisionScope scope(expansion_bits);
    const Ball expanded = scaled_capacity_by_expansion(n) / factorial(2 * n + 1);
    EXPECT_TRUE(scaled_capacity_by_expansion(n).is_exact()) << n;
    EXPECT_TRUE(rigor::overlaps(capacity_of_twicing(Ball(n)), expanded)) << n;
  }
  EXPECT_TRUE(rigor::overlaps(capacity_of_twicing(Ball(1e12)), capacity_of_twicing_by_duplication(Ball(1e12))));
  EXPECT_GT(capacity_of_twicing(Ball(1e12)).relative_accuracy_bits(), 60);
}

TEST(CapacityIntegrals, carry_the_weight_of_a_density_at_one) {
  // s = 0 is no weight; s = 1: int x^n (1 - x) = 1 / ((n+1)(n+2)) and int (1 - u^2)^n u du = 1 / (2 (n + 1)).
  for (const std::int64_t n : {0, 1, 7, 1000}) {
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_identity(Ball(n), 0), capacity_of_identity(Ball(n))));
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_twicing(Ball(n), 0), capacity_of_twicing(Ball(n))));
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_identity(Ball(n), 1), Ball::from_rational(1, (n + 1) * (n + 2))));
    EXPECT_TRUE(rigor::overlaps(weighted_capacity_of_twicing(Ball(n), 1), Ball::from_rational(1, 2 * (n + 1))));
  }
}

}  // namespace
}  // namespace attest::twicing
