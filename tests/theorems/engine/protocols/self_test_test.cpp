#include "theorems/engine/protocols/self_test.hpp"

#include <gtest/gtest.h>

namespace attest::engine {
namespace {

/// What the watch says after `points` points at which the sides and the slack are these functions of x.
template <class Lhs, class Rhs, class Slack>
SelfTest after(int points, Lhs lhs, Rhs rhs, Slack slack) {
  SelfTestWatch watch;
  for (int i = 0; i < points; ++i) {
    const double x = 0.1 * i, left = lhs(x), right = rhs(x);
    watch.see({&left, 1}, {&right, 1}, slack(x));
  }
  return watch.result("");
}

constexpr auto same = [](double x) { return x; };
constexpr auto half = [](double x) { return x / 2 + 1; };
constexpr auto one = [](double) { return 1.0; };
constexpr auto two = [](double) { return 2.0; };

TEST(SelfTest, says_nothing_against_sides_that_differ_and_change) {
  const SelfTest found = after(20, same, half, half);
  EXPECT_FALSE(found.sides_identical);
  EXPECT_FALSE(found.sides_constant);
  EXPECT_FALSE(found.slack_constant);
}

TEST(SelfTest, knows_one_formula_on_both_sides) { EXPECT_TRUE(after(20, half, half, half).sides_identical); }

TEST(SelfTest, knows_sides_that_do_not_depend_on_the_inputs) {
  EXPECT_TRUE(after(20, one, two, half).sides_constant);
  EXPECT_FALSE(after(20, one, same, half).sides_constant);
}

TEST(SelfTest, knows_a_slack_that_gives_a_search_nothing_to_follow) {
  EXPECT_TRUE(after(20, same, half, one).slack_constant);
}

TEST(SelfTest, does_not_judge_by_a_handful_of_points) {
  const SelfTest found = after(3, one, one, one);
  EXPECT_FALSE(found.sides_identical || found.sides_constant || found.slack_constant);
}

}  // namespace
}  // namespace attest::engine
