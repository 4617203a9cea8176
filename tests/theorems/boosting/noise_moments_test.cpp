#include "theorems/boosting/noise_moments.hpp"

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::boosting {
namespace {

// A double that stands for a parameter that is none, squared.
constexpr double parameter_rounding = 2 * tests::unit_roundoff;

TEST(AbsoluteMoment, of_order_two_is_one_for_every_law) {
  EXPECT_EQ(six_laws().size(), 6U);
  for (const random::Law& law : six_laws())
    EXPECT_NEAR(absolute_moment(law, 2).mid(), 1, parameter_rounding) << random::name(law);
}

TEST(AbsoluteMoment, of_order_four_is_the_kurtosis_that_the_sampler_states) {
  for (const random::Law& law : six_laws())
    EXPECT_NEAR(absolute_moment(law, 4).mid() / random::fourth_moment(law), 1, 4 * parameter_rounding)
        << random::name(law);
}

TEST(AbsoluteMoment, is_not_finite_where_the_tail_is_too_heavy) {
  EXPECT_TRUE(absolute_moment(random::Law::student_t(5), 4).is_finite());
  EXPECT_FALSE(absolute_moment(random::Law::student_t(5), 6).is_finite());
}

}  // namespace
}  // namespace attest::boosting
