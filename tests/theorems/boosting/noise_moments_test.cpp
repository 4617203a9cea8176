#include "theorems/boosting/noise_moments.hpp"

#include <gtest/gtest.h>

namespace attest::boosting {
namespace {

TEST(AbsoluteMoment, of_order_two_is_one_for_every_law) {
  EXPECT_EQ(six_laws().size(), 6U);
  for (const random::Law& law : six_laws()) EXPECT_NEAR(absolute_moment(law, 2).mid(), 1, 0x1p-52) << random::name(law);
}

TEST(AbsoluteMoment, of_order_four_is_the_kurtosis_that_the_sampler_states) {
  for (const random::Law& law : six_laws())
    EXPECT_NEAR(absolute_moment(law, 4).mid() / random::fourth_moment(law), 1, 4 * 0x1p-52) << random::name(law);
}

TEST(AbsoluteMoment, is_not_finite_where_the_tail_is_too_heavy) {
  EXPECT_TRUE(absolute_moment(random::Law::student_t(5), 4).is_finite());
  EXPECT_FALSE(absolute_moment(random::Law::student_t(5), 6).is_finite());
}

}  // namespace
}  // namespace attest::boosting
