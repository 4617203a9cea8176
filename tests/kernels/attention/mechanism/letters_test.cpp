#include "kernels/attention/mechanism/letters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/attention/mechanism/initialisation.hpp"

namespace attest::attention {
namespace {

TEST(Letters, are_those_in_brackets) {
  EXPECT_THAT(letters_of("[B][1][N_q][N_k]"), testing::ElementsAre("B", "1", "N_q", "N_k"));
  EXPECT_THAT(letters_of("[]"), testing::IsEmpty());
  EXPECT_TRUE(is_extent("1"));
  EXPECT_FALSE(is_extent("N_q"));
}

TEST(Letters, stand_for_extents) {
  const Letters letters{{"B", 2}, {"N_q", 5}};
  EXPECT_EQ(shape_of("[B][1][N_q]", letters), (Shape{2, 1, 5}));
  EXPECT_EQ(shape_of("[]", letters), Shape{});
  EXPECT_THROW(shape_of("[H]", letters), std::invalid_argument);
}

TEST(Letters, fit_arrays_of_as_many_axes_and_of_the_extents_that_are_numbers) {
  EXPECT_TRUE(can_have("[B][1][N_q]", {7, 1, 3}));
  EXPECT_FALSE(can_have("[B][1][N_q]", {7, 2, 3}));
  EXPECT_FALSE(can_have("[B][1][N_q]", {7, 1}));
  EXPECT_TRUE(can_have("[]", {}));
}

TEST(Initialisation, is_told_in_words) {
  EXPECT_EQ(in_words(Initialisation::constant(0.6)), "0.6");
  EXPECT_EQ(in_words(Initialisation::power_of_dim(0.5)), "sqrt(D)");
  EXPECT_EQ(in_words(Initialisation::power_of_dim(0.25)), "D^(1/4)");
  EXPECT_EQ(in_words(Initialisation{}), "");
}

}  // namespace
}  // namespace attest::attention
