#include "simulations/outcomes/comparison.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "tests/support/null_laws.hpp"

namespace attest::outcomes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// n values around 0, none equal to another.
std::vector<double> around_zero(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(std::sin(1 + static_cast<double>(i)));
  return values;
}

std::vector<double> moved(std::vector<double> values, double by) {
  for (double& value : values) value += by;
  return values;
}

TEST(Comparison, calls_the_better_side) {
  const auto b = around_zero(12), a = moved(b, 2.0);
  EXPECT_EQ(compare(a, b, {.more_is_better = true}).verdict, "a better");
  EXPECT_EQ(compare(a, b, {.more_is_better = false}).verdict, "b better");
  EXPECT_EQ(compare(b, a, {.more_is_better = true}).verdict, "b better");
  const Difference d = compare(a, b, {});
  EXPECT_EQ(d.decided_at, 9U);
  EXPECT_EQ(d.pairs, 12U);
  EXPECT_GE(d.e_value, 100);
}

TEST(Comparison, calls_no_difference_only_where_a_smallest_one_is_declared_and_excluded) {
  const auto noise = around_zero(200), none = std::vector<double>(200, 0.0);
  EXPECT_EQ(compare(noise, none, {.smallest = 1}).verdict, "no difference above 1");
  EXPECT_EQ(compare(noise, none, {.smallest = 1e-3}).verdict, "undecided");
  EXPECT_EQ(compare(noise, none, {}).verdict, "undecided");
  // A difference that is sure and too small to matter.
  EXPECT_EQ(compare(moved(none, 0.1), none, {.smallest = 1}).verdict, "no difference above 1");
}

TEST(Comparison, with_too_few_pairs_is_undecided_and_says_what_would_decide) {
  const auto b = around_zero(5);
  const Difference d = compare(moved(b, 3), b, {});
  EXPECT_EQ(d.verdict, "undecided");
  EXPECT_EQ(d.would_decide, 9U);
  EXPECT_EQ(d.interval.width(), infinity);
  EXPECT_EQ(compare({1, 1}, {1, 1}, {}).would_decide, std::nullopt) << "equal results decide nothing";
  EXPECT_EQ(compare({1}, {0}, {}).verdict, "undecided");
  EXPECT_THROW(compare({1, 2}, {1}, {}), std::invalid_argument);
  EXPECT_THROW(compare({}, {}, {}), std::invalid_argument);
  EXPECT_THROW(compare({std::nan("")}, {1}, {}), std::invalid_argument);
}

TEST(Comparison, corrects_for_the_number_of_comparisons) {
  const auto a = around_zero(40), b = std::vector<double>(40, 0.0);
  const Difference one = compare(a, b, {.level = 0.05}), five = compare(a, b, {.level = 0.05, .comparisons = 5}),
                   same = compare(a, b, {.level = 0.01});
  EXPECT_GT(five.interval.width(), one.interval.width());
  EXPECT_EQ(five.interval.width(), same.interval.width());
}

TEST(Comparison, of_values_in_a_known_range_also_gives_an_interval_without_symmetry) {
  const std::vector<double> a(60, 0.9), b(60, 0.1);
  const Difference d = compare(a, b, {.more_is_better = true, .range = statistics::Interval{0, 1}});
  ASSERT_TRUE(d.range_interval.has_value());
  EXPECT_GT(d.range_interval->lower, 0);
  EXPECT_LE(d.range_interval->upper, 1);
  EXPECT_THROW(compare({90}, {10}, {.range = statistics::Interval{0, 1}}), std::invalid_argument);
}

/// One variant against itself, on metrics of skewed laws that share what a seed does to both, looked at after every
/// seed.
TEST(Comparison, of_a_variant_with_itself_makes_a_false_call_in_a_hundred_at_most) {
  constexpr int comparisons = 1000, seeds = 40;
  constexpr double level = 0.01;
  for (const tests::NullLaw& law : tests::null_laws()) {
    if (law.name != "chi-square" && law.name != "lognormal") continue;  // the most skewed of those without ties
    int called = 0;
    for (int c = 0; c < comparisons; ++c) {
      random::Stream stream(1, random::stream_key("A/A"), static_cast<std::uint64_t>(c));
      std::vector<double> a, b;
      for (int s = 0; s < seeds; ++s) {
        const double common = law.draw(stream);
        a.push_back(common + law.draw(stream));
        b.push_back(common + law.draw(stream));
      }
      // A verdict, once it could be told, is never taken back: the last look knows of all.
      called += compare(a, b, {.level = level}).verdict != "undecided" ? 1 : 0;
    }
    EXPECT_LE(called, tests::most_misses(comparisons, level)) << law.name;
  }
}

TEST(Comparison, never_takes_a_verdict_back) {
  for (std::uint64_t run = 0; run < 20; ++run) {
    random::Stream stream(3, random::stream_key("looks"), run);
    std::vector<double> a, b;
    std::string verdict = "undecided";
    std::size_t decided_at = 0;
    for (std::size_t s = 1; s <= 40; ++s) {
      a.push_back(0.8 + stream.normal());
      b.push_back(0);
      const Difference now = compare(a, b, {.more_is_better = true, .level = 0.05});
      if (verdict != "undecided") {
        EXPECT_EQ(now.verdict, verdict);
        EXPECT_EQ(now.decided_at, decided_at);
      } else if (now.verdict != "undecided") {
        verdict = now.verdict;
        decided_at = s;
        EXPECT_EQ(now.decided_at, s);
      }
    }
  }
}

TEST(Comparison, finds_a_difference_of_the_detectable_size_with_the_stated_power) {
  constexpr int experiments = 2000;
  constexpr std::size_t seeds = 12;
  const double shift = detectable_difference(seeds, 2, 0.05, 0.8);
  int found = 0;
  for (int e = 0; e < experiments; ++e) {
    random::Stream stream(2, random::stream_key("power"), static_cast<std::uint64_t>(e));
    std::vector<double> a, b(seeds, 0.0);
    for (std::size_t s = 0; s < seeds; ++s) a.push_back(shift + stream.normal());
    found += compare(a, b, {.more_is_better = true, .level = 0.05, .comparisons = 2}).verdict == "a better" ? 1 : 0;
  }
  // The share in 2000 comparisons and the quantile of the 400 behind the shift both vary: six standard deviations.
  EXPECT_NEAR(found / double{experiments}, 0.8, 6 * std::sqrt(0.8 * 0.2 * (1.0 / experiments + 1.0 / 400)));
  EXPECT_EQ(detectable_difference(5, 1, 0.05, 0.8), infinity);
  EXPECT_EQ(least_seeds(1, 0.01), 9U);
}

}  // namespace
}  // namespace attest::outcomes
