#include "kernels/statistics/power.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/monte_carlo/estimate.hpp"
#include "kernels/statistics/clopper_pearson.hpp"
#include "tests/kernels/counter_uniform.hpp"

namespace attest::statistics {
namespace {

constexpr double gate_error = 1e-9;

TEST(SmallestCaughtExcess, is_close_to_the_normal_approximation) {
  const MeanTest test{{0, 1}, 0.3, 1e-9, 1e6, 0.01};
  const double excess = smallest_caught_excess(test, 0.01);
  const double normal = std::sqrt(0.01 / 1e6) * (std::sqrt(2 * std::log(1e9)) + 2.33);
  EXPECT_GT(excess, normal);
  EXPECT_LT(excess, 1.5 * normal);
}

TEST(SmallestCaughtExcess, is_infinite_when_no_mean_in_the_range_would_be_caught) {
  EXPECT_TRUE(std::isinf(smallest_caught_excess({{0, 1}, 0.9, 1e-9, 10, 0.25}, 0.01)));
}

TEST(SmallestCaughtExcess, refuses_misuse) {
  EXPECT_THROW(smallest_caught_excess({{0, 1}, 2.0, 1e-9, 100, 0.25}, 0.01), std::invalid_argument);
  EXPECT_THROW(smallest_caught_excess({{0, 1}, 0.5, 1e-9, 1, 0.25}, 0.01), std::invalid_argument);
  EXPECT_THROW(smallest_caught_excess({{0, 1}, 0.5, 1e-9, 100, NAN}, 0.01), std::invalid_argument);
}

// Coins of probability 0.2 + effect against the claim "mean <= 0.2": what is promised as caught is caught, at several
// effect sizes, with the promised power.
TEST(SmallestCaughtExcess, promises_power_that_simulation_confirms) {
  constexpr double false_pass = 0.05;
  constexpr int runs = 400;
  for (const double samples : {512.0, 2048.0, 8192.0}) {
    const double excess = smallest_caught_excess({{0, 1}, 0.2, 1e-4, samples, 0.25}, false_pass);
    ASSERT_LT(excess, 0.5);
    std::uint64_t caught = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
      const auto coin = [&](std::uint64_t sample) { return counter_uniform(run, sample) < 0.2 + excess ? 1.0 : 0.0; };
      // The promise is for the level of one end; the test splits its alpha over two.
      monte_carlo::Settings settings;
      settings.alpha = 2e-4;
      settings.max_samples = static_cast<std::uint64_t>(samples);
      const auto result = monte_carlo::test_mean_at_most(monte_carlo::by_sample(coin), {0, 1}, 0.2, 1e-9, settings);
      caught += result.decision == monte_carlo::Decision::refuted ? 1 : 0;
    }
    EXPECT_GE(clopper_pearson(caught, runs, gate_error, Sides::upper_only).upper, 1 - false_pass) << samples;
  }
}

}  // namespace
}  // namespace attest::statistics
