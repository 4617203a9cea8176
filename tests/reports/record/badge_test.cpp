#include "reports/record/badge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

using testing::HasSubstr;

TEST(Badge, counts_the_verdicts_and_shows_trouble) {
  Results results = example();
  EXPECT_THAT(badge_svg(results), HasSubstr("1 certified, 3 supported, 2 refuted, 1 undecided, 1 vacuous, 1 error"));
  EXPECT_THAT(badge_svg(results), HasSubstr("#a8281f")) << "a verdict is not the one on record";
  results.claims.resize(1);
  results.claims[0].near_misses.clear();
  EXPECT_THAT(badge_svg(results), HasSubstr(">1 supported</text>"));
  EXPECT_THAT(badge_svg(results), HasSubstr("#1c6b45"));
}

TEST(Badge, of_nothing_says_so) { EXPECT_THAT(badge_svg(Results{}), HasSubstr("nothing judged")); }

}  // namespace
}  // namespace attest::reports
