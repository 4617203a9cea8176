#include "reports/html/elements/evidence_strip.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/elements/track.hpp"
#include "tests/reports/example.hpp"

namespace attest::reports::html {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Track, maps_its_ends_to_the_margins_and_clamps_what_lies_outside) {
  const Track track(0, 10);
  EXPECT_DOUBLE_EQ(track.at(0), 2);
  EXPECT_DOUBLE_EQ(track.at(5), 50);
  EXPECT_DOUBLE_EQ(track.at(HUGE_VAL), 98);
  EXPECT_DOUBLE_EQ(Track(1, 100, true).at(10), 50);
}

TEST(IntervalStrip, shows_estimate_interval_and_claim) {
  Evidence evidence;
  EXPECT_THAT(interval_strip(evidence), IsEmpty());
  evidence.interval = Interval{0.1, 0.3};
  evidence.estimate = 0.2;
  evidence.bound = 0.5;
  EXPECT_THAT(interval_strip(evidence), AllOf(HasSubstr("0.2 [0.1, 0.3]"), HasSubstr("claimed 0.5")));
}

TEST(IntervalStrip, survives_infinite_ends_and_a_single_point) {
  Evidence evidence;
  evidence.interval = Interval{-HUGE_VAL, HUGE_VAL};
  EXPECT_THAT(interval_strip(evidence), IsEmpty()) << "nothing finite to draw";
  evidence.interval = Interval{2, 2};
  EXPECT_THAT(interval_strip(evidence), AllOf(HasSubstr("[2, 2]"), testing::Not(HasSubstr("nan"))));
}

TEST(IntervalStrip, draws_the_resolution_within_which_an_interval_only_passes) {
  Evidence evidence;
  evidence.interval = Interval{0.4, 0.51};
  evidence.bound = 0.5;
  EXPECT_THAT(interval_strip(evidence), testing::Not(HasSubstr("class=\"band\"")));
  evidence.resolution = 0.05;
  EXPECT_THAT(interval_strip(evidence), HasSubstr("class=\"band\""));
}

TEST(TightnessStrip, says_whether_the_bound_was_attained_or_exceeded) {
  Evidence evidence;
  evidence.tightness = 0.25;
  EXPECT_THAT(tightness_strip(evidence), HasSubstr("0.25 of the bound attained"));
  evidence.tightness = 1 - 1e-7;
  EXPECT_THAT(tightness_strip(evidence), HasSubstr("within 1e-07 of the bound")) << "near it is not at it";
  evidence.tightness = 1.0;
  EXPECT_THAT(tightness_strip(evidence), HasSubstr("at the bound in doubles"));
  evidence.attained = true;
  EXPECT_THAT(tightness_strip(evidence), HasSubstr("bound attained"));
  evidence.attained = false;
  evidence.tightness = 1.5;
  EXPECT_THAT(tightness_strip(evidence), HasSubstr("1.5 times the bound"));
  evidence.tightness = std::nan("");
  EXPECT_THAT(tightness_strip(evidence), IsEmpty());
}

TEST(ForestStrip, has_a_row_for_every_configuration) {
  const Results results = example();
  EXPECT_THAT(forest_strip(find_claim(results, "boosting/softmax-perturbation")->evidence.parts),
              AllOf(HasSubstr("Gaussian, N = 16"), HasSubstr("three-point, N = 1024")));
}

TEST(NearMissStrip, tells_caught_from_missed_and_names_the_smallest_caught) {
  const Results results = example();
  EXPECT_THAT(
      near_miss_strip(*find_claim(results, "boosting/softmax-perturbation")),
      AllOf(HasSubstr("class=\"caught\""), HasSubstr("class=\"missed\""), HasSubstr("smallest error caught: 0.05")));
}

}  // namespace
}  // namespace attest::reports::html
