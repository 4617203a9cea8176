#include "simulations/outcomes/comparison.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"

namespace attest::training {
namespace {

TEST(Comparison, says_what_the_sign_of_the_interval_says) {
  const std::vector<double> a = {1.0, 1.1, 0.9}, b = {0.0, 0.11, -0.1};
  EXPECT_EQ(compare(a, b, true, 1, 0.05).verdict, "supported");
  EXPECT_EQ(compare(a, b, false, 1, 0.05).verdict, "refuted");
  EXPECT_EQ(compare(a, {0.5, 2, 0.4}, true, 1, 0.05).verdict, "undecided");
  EXPECT_EQ(compare({1}, {0}, true, 1, 0.05).verdict, "undecided");
  EXPECT_EQ(compare({1, 1, 1}, {0, 0, 0}, true, 1, 0.05).verdict, "undecided");  // no spread to measure by
  EXPECT_THROW(compare(a, {1}, true, 1, 0.05), std::invalid_argument);
}

TEST(Comparison, corrects_for_the_number_of_comparisons) {
  const std::vector<double> a = {1.0, 1.2, 0.7}, b = {0, 0, 0};
  EXPECT_GT(compare(a, b, true, 5, 0.05).interval.width(), compare(a, b, true, 1, 0.05).interval.width());
  EXPECT_EQ(compare(a, b, true, 1, 0.01).interval.width(), compare(a, b, true, 5, 0.05).interval.width());
}

/// Three copies of one variant against a fourth: how often any of them is called better or worse.
TEST(Comparison, of_a_variant_with_itself_finds_a_difference_at_no_more_than_the_stated_rate) {
  constexpr int experiments = 4000, seeds = 4, copies = 3;
  constexpr double level = 0.05;
  int called = 0;
  for (int e = 0; e < experiments; ++e) {
    random::Stream stream(1, random::claim_key("A/A"), static_cast<std::uint64_t>(e));
    std::vector<std::vector<double>> runs(copies + 1, std::vector<double>(seeds));
    for (int s = 0; s < seeds; ++s) {
      const double common = stream.normal();  // what a seed does to all variants
      for (auto& run : runs) run[static_cast<std::size_t>(s)] = common + stream.normal();
    }
    bool any = false;
    for (int c = 1; c <= copies; ++c)
      any |= compare(runs[static_cast<std::size_t>(c)], runs[0], true, copies, level).verdict != "undecided";
    called += any ? 1 : 0;
  }
  // Four standard deviations of the count above its largest admissible mean.
  EXPECT_LE(called, experiments * level + 4 * std::sqrt(experiments * level * (1 - level)));
  EXPECT_GT(called, 0);
}

TEST(Comparison, finds_a_difference_of_the_detectable_size_with_the_stated_power) {
  constexpr int experiments = 4000, seeds = 5;
  const double shift = detectable_difference(seeds, 2, 0.05, 0.8);
  int found = 0;
  for (int e = 0; e < experiments; ++e) {
    random::Stream stream(2, random::claim_key("power"), static_cast<std::uint64_t>(e));
    std::vector<double> a, b(seeds, 0.0);
    for (int s = 0; s < seeds; ++s) a.push_back(shift + stream.normal());
    found += compare(a, b, true, 2, 0.05).verdict == "supported" ? 1 : 0;
  }
  EXPECT_NEAR(found, 0.8 * experiments, 4 * std::sqrt(experiments * 0.8 * 0.2));
  EXPECT_TRUE(std::isinf(detectable_difference(1, 1, 0.05, 0.8)));
}

}  // namespace
}  // namespace attest::training
