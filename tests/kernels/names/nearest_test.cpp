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
}

TEST(NearestNames, are_none_where_more_than_every_third_letter_is_to_be_changed) {
  EXPECT_THAT(nearest({"drift", "judge", "list"}, "buidl", 3), testing::IsEmpty());
  EXPECT_THAT(nearest({"drift", "judge", "list"}, "lsit", 3), ElementsAre("list"));
  EXPECT_THAT(nearest({"q", "k"}, "v", 3), testing::IsEmpty()) << "all of its letters";
}

TEST(NearestNames, come_once_each) {
  EXPECT_THAT(nearest({"eq-1", "eq-4", "eq-1", "eq-11"}, "eq-41", 3), ElementsAre("eq-1", "eq-4", "eq-11"));
}

TEST(NearestNames, count_a_beginning_of_three_letters_as_near) {
  EXPECT_THAT(nearest({"erf", "frobenius", "dot"}, "fro", 1), ElementsAre("frobenius"));
  EXPECT_THAT(nearest({"erf", "frobenius", "dot"}, "frobenius_norm", 1), ElementsAre("frobenius"));
  EXPECT_THAT(nearest({"erf", "frobenius", "dot"}, "fr", 1), testing::IsEmpty());
  EXPECT_THAT(nearest({}, "fro", 1), testing::IsEmpty());
}

TEST(DidYouMean, names_what_is_near_then_what_to_do_otherwise) {
  EXPECT_EQ(did_you_mean({"axes", "heads", "head"}, "heat"), "; did you mean head or heads?");
  EXPECT_EQ(did_you_mean({"bat", "cat", "rat"}, "mat", "list shows all"),
            "; did you mean bat, cat or rat? list shows all");
  EXPECT_EQ(did_you_mean({"axes", "heads"}, "quantity", "list shows all"), "; list shows all");
}

TEST(DidYouMean, lists_the_names_where_none_is_near_and_they_are_few) {
  EXPECT_EQ(did_you_mean({"axes", "heads", "seed"}, "quantity"), "; there are axes, heads and seed");
  EXPECT_EQ(did_you_mean({"axes"}, "quantity"), "; there is only axes");
  EXPECT_EQ(did_you_mean(std::vector<std::string>(13, "axes"), "quantity"), "");
  EXPECT_EQ(did_you_mean({}, "quantity"), "");
}

}  // namespace
}  // namespace attest::names
