#include "kernels/monte_carlo/estimate.hpp"

#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/statistics/clopper_pearson.hpp"
#include "tests/kernels/counter_uniform.hpp"

namespace attest::monte_carlo {
namespace {

BlockStatistic uniform(std::uint64_t stream) {
  return by_sample([stream](std::uint64_t sample) { return counter_uniform(stream, sample); });
}

TEST(Simulate, gives_the_same_bits_for_any_number_of_threads) {
  Settings settings;
  settings.max_samples = 100000;
  const Estimate one = estimate_mean(uniform(1), {0, 1}, 0.02, settings);
  for (const unsigned threads : {2U, 5U, 0U}) {
    settings.threads = threads;
    const Estimate many = estimate_mean(uniform(1), {0, 1}, 0.02, settings);
    EXPECT_EQ(many.samples, one.samples);
    EXPECT_EQ(many.mean, one.mean);
    EXPECT_EQ(many.variance, one.variance);
    EXPECT_EQ(many.interval.lower, one.interval.lower);
    EXPECT_EQ(many.interval.upper, one.interval.upper);
  }
  EXPECT_LT(one.samples, settings.max_samples);
  EXPECT_LE(one.interval.width(), 0.04);
  EXPECT_TRUE(one.interval.contains(0.5));
}

TEST(TestMeanAtMost, decides_in_both_directions_and_admits_when_it_cannot) {
  Settings settings;
  settings.max_samples = 200000;
  EXPECT_EQ(test_mean_at_most(uniform(2), {0, 1}, 0.49, 0.005, settings).decision, Decision::refuted);
  EXPECT_EQ(test_mean_at_most(uniform(2), {0, 1}, 0.50, 0.01, settings).decision, Decision::supported);
  settings.max_samples = 1000;
  const TestResult open = test_mean_at_most(uniform(2), {0, 1}, 0.50, 0.001, settings);
  EXPECT_EQ(open.decision, Decision::undecided);
  EXPECT_EQ(open.estimate.samples, 1000U);
}

TEST(TestMeanAtMost, stops_the_sooner_the_larger_the_effect) {
  Settings settings;
  settings.max_samples = 1000000;
  std::uint64_t previous = 0;
  for (const double effect : {0.2, 0.1, 0.05, 0.025}) {
    const TestResult result = test_mean_at_most(uniform(3), {0, 1}, 0.5 - effect, 1e-6, settings);
    EXPECT_EQ(result.decision, Decision::refuted);
    EXPECT_GT(result.estimate.samples, previous);
    previous = result.estimate.samples;
  }
  // Halving the effect costs about four times the samples: 2 sigma^2 log(1/alpha)/effect^2, with the mixture's price.
  EXPECT_LT(static_cast<double>(previous), 2 * 2.0 / 12 * std::log(2e9) / (0.025 * 0.025));
}

// 10^4 runs of a true statement at its boundary, stopped by the test's own rule.
TEST(TestMeanAtMost, refutes_a_true_statement_no_more_often_than_its_level) {
  constexpr int runs = 10000;
  constexpr double alpha = 0.1, gate_error = 1e-9;
  std::uint64_t refuted = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Settings settings;
    settings.alpha = alpha;
    settings.max_samples = 256;
    settings.block_samples = 16;
    const auto coin =
        by_sample([&](std::uint64_t sample) { return counter_uniform(1000 + run, sample) < 0.3 ? 1.0 : 0.0; });
    refuted += test_mean_at_most(coin, {0, 1}, 0.3, 0.001, settings).decision == Decision::refuted ? 1 : 0;
  }
  EXPECT_LE(statistics::clopper_pearson(refuted, runs, gate_error, statistics::Sides::lower_only).lower, alpha / 2);
}

TEST(Simulate, refuses_no_samples_and_reports_a_bad_one_by_its_number) {
  Settings settings;
  EXPECT_THROW(estimate_mean(uniform(4), {0, 1}, 0.1, settings), std::invalid_argument);
  settings.max_samples = 1000;
  EXPECT_THROW(estimate_mean(uniform(4), {0, 1}, 0, settings), std::invalid_argument);
  const auto sometimes_nan = by_sample([](std::uint64_t sample) { return sample == 321 ? NAN : 0.5; });
  settings.threads = 2;
  EXPECT_THAT(
      [&] {
        estimate_mean(sometimes_nan, {0, 1}, 1e-4, settings);
      },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("observation 321 = nan")));
}

}  // namespace
}  // namespace attest::monte_carlo
