#include "simulations/judge/trial/compare_calls.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::judge {
namespace {

TEST(JudgeDirection, passes_within_the_bound_and_fails_beyond_it) {
  Record within, beyond;
  judge_direction(within, 1.0L, 1.5L, 1);
  judge_direction(beyond, 1.0L, 3.0L, 1);
  EXPECT_EQ(within.ratios.at("dq"), 0.5);
  EXPECT_TRUE(within.failures.empty());
  ASSERT_EQ(beyond.failures.size(), 1u);
  EXPECT_EQ(beyond.failures.front().ratio, 2);
}

TEST(JudgeDirection, fails_where_a_side_or_the_bound_is_not_a_number) {
  Record side, bound;
  judge_direction(side, NAN, 1.0L, 1);
  judge_direction(bound, 1.0L, 1.5L, NAN);
  EXPECT_EQ(side.failures.size(), 1u);
  EXPECT_EQ(bound.failures.size(), 1u);
}

TEST(JudgeChange, names_the_entry_that_moves_beyond_both_bounds) {
  const Judged expected{{1, 2}, {0.125, 0.125}};
  Record still, moved;
  judge_change(still, {1, 2}, expected, {1, 2.25}, expected, "a shift");
  judge_change(moved, {1, 2}, expected, {1, 2.5}, expected, "a shift");
  EXPECT_TRUE(still.failures.empty());
  ASSERT_EQ(moved.failures.size(), 1u);
  EXPECT_EQ(moved.ratios.at("out"), 2);
}

TEST(Repeated, TellsGradientsThatDifferBetweenRuns) {
  const CaseSpec spec;
  Problem extents;
  extents.batch = extents.heads = extents.kv_heads = extents.queries = extents.keys = extents.width =
      extents.value_width = 1;
  const Judged one{{1}, {0.5}};
  for (const double drift : {0.0, 0x1p-52}) {
    double dk = 1;
    const Ask ask = [&](Record&) { return Outputs{{"out", {1}}, {"dk", {dk += drift}}}; };
    const Record record = repeated(spec, extents, one, one, ask, ask);
    EXPECT_EQ(record.failures.empty(), drift == 0);
    for (const Failure& failure : record.failures) EXPECT_EQ(failure.fault, fault::results_differ_between_runs);
  }
}

}  // namespace
}  // namespace attest::judge
