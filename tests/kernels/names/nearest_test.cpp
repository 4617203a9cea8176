#include "kernels/names/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::names {
namespace {

using testing::ElementsAre;

TEST(NearestNames, come_by_the_number_of_letters_to_change) {
  EXPECT_THAT(nearest({"axes", "heads", "head"}, "heat", 2), ElementsAre("head", "heads"));
}

TEST(NearestNames, keep_their_order_when_equally_near) {
  EXPECT_THAT(nearest({"bat", "cat", "rat"}, "mat", 5), ElementsAre("bat", "cat", "rat"));
}

TEST(NearestNames, leave_out_what_is_more_than_a_letter_further_than_the_nearest) {
  EXPECT_THAT(nearest({"twicing", "alibi", "conv1d"}, "twicng", 3), ElementsAre("twicing"));
  EXPECT_THAT(nearest({"twicing", "twig", "alibi"}, "twicng", 3), ElementsAre("twicing", "twig"));
  EXPECT_THAT(nearest({"abc", "abcd"}, "xyzuvw", 3), ElementsAre("abc", "abcd")) << "none is near, and all as far";
}

TEST(NearestNames, come_once_each) {
  EXPECT_THAT(nearest({"eq-1", "eq-4", "eq-1", "eq-11"}, "eq-41", 3), ElementsAre("eq-1", "eq-4", "eq-11"));
}

TEST(NearestNames, count_a_beginning_of_three_letters_as_near) {
  EXPECT_THAT(nearest({"erf", "frobenius", "dot"}, "fro", 1), ElementsAre("frobenius"));
  EXPECT_THAT(nearest({"erf", "frobenius", "dot"}, "fr", 1), ElementsAre("erf"));
  EXPECT_THAT(nearest({}, "fro", 1), testing::IsEmpty());
}

TEST(MistypedName, is_two_letters_away_at_most_and_fewer_than_half_of_them) {
  EXPECT_EQ(mistyped({"scale", "causal"}, "causl"), "causal");
  EXPECT_EQ(mistyped({"scale", "causal"}, "cusla"), "");
  EXPECT_EQ(mistyped({"q", "k"}, "v"), "");
  EXPECT_EQ(mistyped({}, "causal"), "");
}

}  // namespace
}  // namespace attest::names
