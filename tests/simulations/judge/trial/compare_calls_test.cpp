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

TEST(JudgeDirection, prints_NaN_without_a_sign) {
  Record record;
  judge_direction(record, -NAN, 1.0L, -NAN);
  ASSERT_EQ(record.failures.size(), 1u);
  EXPECT_EQ(record.failures.front().message.find("-nan"), std::string::npos);
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

/// Whether the output x that becomes y when the values are doubled passes.
bool doubles(ElementType type, double x, double y) {
  Record record;
  record.spec.type = type;
  Problem extents;
  extents.type = type;
  extents.batch = extents.heads = extents.queries = extents.value_width = 1;
  const TrialSettings settings;
  judge_doubling(record, extents, {x}, {y}, Sameness(settings, [] { return Expected{}; }));
  return record.failures.empty();
}

TEST(JudgeDoubling, is_exact_but_for_numbers_below_the_least_normal_one) {
  EXPECT_TRUE(doubles(ElementType::float64, 0.3, 0.6));
  EXPECT_FALSE(doubles(ElementType::float64, 0.3, std::nextafter(0.6, 1)));
  EXPECT_FALSE(doubles(ElementType::float16, 0.25, 0.5 + 0x1p-11));
  // 2.5 times the least subnormal number rounds to 2 of it, 5 times to 5.
  EXPECT_TRUE(doubles(ElementType::float16, 2 * 0x1p-24, 5 * 0x1p-24));
  EXPECT_FALSE(doubles(ElementType::float16, 2 * 0x1p-24, 7 * 0x1p-24));
  EXPECT_TRUE(doubles(ElementType::float32, 0, 0x1.8p-126));  // flushed before
  EXPECT_FALSE(doubles(ElementType::float32, 0, 0x1p-124));
}

TEST(CompareAlone, asks_for_the_same_bits_or_for_no_more_than_rounding_between_them) {
  Problem extents;
  extents.batch = extents.heads = extents.queries = extents.value_width = 1;
  const auto fails = [&](double in_batch, double by_itself, bool same_bits) {
    Record record;
    const Judged expected{{1}, {0.125}};
    TrialSettings settings;
    settings.same_bits_in_any_batch = same_bits;
    compare_alone(
        record, extents, {in_batch}, {by_itself}, [&] { return expected; }, settings);
    return !record.failures.empty();
  };
  EXPECT_TRUE(fails(1, 1.0625, true));
  EXPECT_FALSE(fails(1, 1.0625, false));
  EXPECT_TRUE(fails(1, 1.5, false));
  EXPECT_TRUE(fails(1, NAN, false));
  // Whether they are right is not asked here: only whether they are the same.
  EXPECT_FALSE(fails(7, 7.0625, false));
  EXPECT_FALSE(fails(NAN, NAN, false));
  EXPECT_TRUE(fails(7, 1, false));
}

TEST(Repeated, TellsGradientsThatDifferBetweenRuns) {
  const CaseSpec spec;
  Problem extents;
  extents.batch = extents.heads = extents.kv_heads = extents.queries = extents.keys = extents.width =
      extents.value_width = 1;
  Expected one;
  one.out = one.dk = {{1}, {0.5}};
  const auto fails = [&](double drift, Deterministic deterministic) {
    TrialSettings settings;
    settings.deterministic = deterministic;
    double dk = 1;
    const Ask ask = [&](Record&) { return Outputs{{"out", {1}}, {"dk", {dk += drift}}}; };
    const Record record = repeated(
        spec, extents, one, one.out, ask, ask, [] {}, settings);
    for (const Failure& failure : record.failures) EXPECT_EQ(failure.fault, fault::results_differ_between_runs);
    return !record.failures.empty();
  };
  EXPECT_FALSE(fails(0, Deterministic::all));
  EXPECT_TRUE(fails(0x1p-52, Deterministic::all));
  EXPECT_FALSE(fails(0x1p-52, Deterministic::forward));
  EXPECT_FALSE(fails(0x1p-52, Deterministic::none));
  // Not the same, and not by rounding either.
  EXPECT_TRUE(fails(2, Deterministic::forward));
}

TEST(Repeated, blames_earlier_calls_only_for_what_a_fresh_process_does_right) {
  const CaseSpec spec;
  Problem extents;
  extents.batch = extents.heads = extents.queries = extents.value_width = 1;
  Expected first;
  first.out = {{1}, {0.5}};
  const Judged second{{5}, {0.5}};
  const auto fault_where = [&](bool wrong_afresh) {
    bool fresh = false;
    const Ask ask_first = [](Record&) { return Outputs{{"out", {1}}}; };
    const Ask ask_second = [&](Record&) { return Outputs{{"out", {fresh && !wrong_afresh ? 5.0 : 7.0}}}; };
    const Record record = repeated(
        spec, extents, first, second, ask_first, ask_second, [&] { fresh = true; }, TrialSettings{});
    return record.failures.empty() ? Fault{} : record.failures.front().fault;
  };
  EXPECT_EQ(fault_where(false), fault::depends_on_earlier_calls);
  EXPECT_EQ(fault_where(true), Fault{});
}

}  // namespace
}  // namespace attest::judge
