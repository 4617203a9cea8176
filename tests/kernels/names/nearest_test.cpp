#include "kernels/names/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::names {
namespace {

using testing::ElementsAre;

TEST(NearestNames, come_by_the_number_of_letters_to_change) {
  EXPECT_THAT(nearest({"twicing", "softmax", "soft"}, "sofmax", 2), ElementsAre("softmax", "soft"));
}

TEST(NearestNames, keep_their_order_when_equally_near) {
  EXPECT_THAT(nearest({"bat", "cat", "rat"}, "mat", 5), ElementsAre("bat", "cat", "rat"));
}

}  // namespace
}  // namespace attest::names
