#include "kernels/statistics/paired_referee.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/signed_rank.hpp"
#include "tests/support/null_laws.hpp"

namespace attest::statistics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> around(double effect, std::size_t n) {
  random::Stream stream(4, random::stream_key("paired referee"), 0);
  std::vector<double> values(n);
  for (double& value : values) value = effect + stream.normal();
  return values;
}

TEST(JudgePairs, calls_the_sign_of_an_effect_and_when_it_could_first_be_told) {
  const auto differences = around(1, 60);
  const PairedFinding all = judge_pairs(differences, {});
  EXPECT_EQ(all.call, Call::above);
  EXPECT_GE(all.e_value, 100);
  const std::span pairs(differences);
  EXPECT_EQ(judge_pairs(pairs.first(all.decided_at), {}).call, Call::above);
  EXPECT_EQ(judge_pairs(pairs.first(all.decided_at - 1), {}).call, Call::undecided);
  EXPECT_LT(judge_pairs(pairs.first(all.decided_at - 1), {}).e_value, 100);
}

TEST(JudgePairs, calls_no_difference_where_only_small_effects_are_left) {
  const auto differences = around(0, 400);
  EXPECT_EQ(judge_pairs(differences, {.alpha = 0.01, .smallest = 1}).call, Call::no_difference);
  EXPECT_EQ(judge_pairs(differences, {.alpha = 0.01, .smallest = 0.01}).call, Call::undecided);
  // Sure and too small to matter: no difference is called first.
  EXPECT_EQ(judge_pairs(around(0.5, 400), {.alpha = 0.01, .smallest = 2}).call, Call::no_difference);
}

TEST(JudgePairs, looks_ahead_as_if_differences_came_again) {
  // A large effect in few pairs, and a small one in many: further than the thousand pairs of a short comparison.
  for (const auto& seen : {around(2, 5), around(0.07, 1500)}) {
    const PairedFinding now = judge_pairs(seen, {});
    ASSERT_EQ(now.call, Call::undecided);
    ASSERT_TRUE(now.would_decide.has_value()) << seen.size();
    std::vector<double> repeated;
    for (std::size_t i = 0; i < *now.would_decide; ++i) repeated.push_back(seen[i % seen.size()]);
    EXPECT_EQ(judge_pairs(repeated, {}).decided_at, *now.would_decide);
  }
  EXPECT_FALSE(judge_pairs(std::vector<double>{1, -1}, {}).would_decide.has_value());
  EXPECT_FALSE(judge_pairs({}, {}).would_decide.has_value());
}

TEST(JudgePairs, calls_the_smallest_effect_no_difference_at_no_more_than_its_level) {
  // The effect is the smallest that matters: calling it none is false.
  constexpr int runs = 500;
  int called = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    random::Stream stream(9, random::stream_key("smallest effect"), run);
    std::vector<double> differences(40);
    for (double& one : differences) one = 0.5 + stream.normal();
    called += judge_pairs(differences, {.alpha = 0.1, .smallest = 0.5}).call == Call::no_difference ? 1 : 0;
  }
  EXPECT_LE(called, tests::most_misses(runs, 0.1));
}

TEST(JudgePairs, refuses_what_is_no_rule_or_no_difference) {
  EXPECT_THROW(judge_pairs(around(0, 3), {.alpha = 0}), std::invalid_argument);
  EXPECT_THROW(judge_pairs(around(0, 3), {.alpha = 0.1, .smallest = -1}), std::invalid_argument);
  EXPECT_THROW(judge_pairs(std::vector<double>{infinity}, {}), std::invalid_argument);
}

TEST(DetectableEffect, falls_with_pairs_and_is_infinite_for_too_few) {
  EXPECT_EQ(detectable_effect(static_cast<std::size_t>(least_observations(0.01)) - 1, 0.01, 0.8), infinity);
  const double twelve = detectable_effect(12, 0.01, 0.8), fifty = detectable_effect(50, 0.01, 0.8);
  EXPECT_LT(fifty, twelve);
  EXPECT_GT(detectable_effect(12, 0.01, 0.95), twelve);
  EXPECT_THROW(detectable_effect(12, 0.01, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::statistics
