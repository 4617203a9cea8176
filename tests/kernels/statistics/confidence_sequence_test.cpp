#include "kernels/statistics/confidence_sequence.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/statistics/clopper_pearson.hpp"
#include "kernels/statistics/sub_gaussian_sequence.hpp"
#include "tests/kernels/counter_uniform.hpp"
#include "tests/support/rounding.hpp"

namespace attest::statistics {
namespace {

constexpr double alpha = 0.05;       // of each sequence under test
constexpr double gate_error = 1e-9;  // probability that a correct sequence fails one of these gates
constexpr int null_runs = 10000;

/// A law on [0, 1] with a known mean: rare ones, fair coins, a continuous one.
struct Law {
  const char* name;
  double mean;
  double (*draw)(double uniform);
};
const std::vector<Law>& laws() {
  static const std::vector<Law> all{{"uniform", 0.5, [](double u) { return u; }},
                                    {"fair coin", 0.5, [](double u) { return u < 0.5 ? 1.0 : 0.0; }},
                                    {"rare", 0.02, [](double u) { return u < 0.02 ? 1.0 : 0.0; }},
                                    {"mostly one", 0.9, [](double u) { return u < 0.9 ? 1.0 : 0.0; }},
                                    {"cubed", 0.25, [](double u) { return u * u * u; }}};
  return all;
}

/// Number of runs whose running intersection has lost `mean` by the last of `looks` looks.
template <typename MakeSequence, typename Draw>
std::uint64_t misses(MakeSequence make, Draw draw, double mean, int looks, int block, std::uint64_t stream) {
  std::uint64_t count = 0;
  std::vector<double> values(static_cast<std::size_t>(block));
  for (int run = 0; run < null_runs; ++run) {
    auto sequence = make();
    std::uint64_t index = static_cast<std::uint64_t>(run) << 20;
    for (int look = 0; look < looks; ++look) {
      for (double& value : values) value = draw(counter_uniform(stream, index++));
      sequence.update(values);
    }
    count += sequence.interval().contains(mean) ? 0 : 1;
  }
  return count;
}

TEST(EmpiricalBernsteinSequence, covers_the_mean_at_every_stopping_time) {
  for (std::size_t i = 0; i < laws().size(); ++i) {
    const Law& law = laws()[i];
    const auto missed = misses([] { return EmpiricalBernsteinSequence({0, 1}, alpha); }, law.draw, law.mean, 1, 200, i);
    EXPECT_LE(clopper_pearson(missed, null_runs, gate_error, Sides::lower_only).lower, alpha) << law.name;
  }
}

TEST(BettingSequence, covers_the_mean_at_every_stopping_time) {
  for (std::size_t i = 0; i < laws().size(); ++i) {
    const Law& law = laws()[i];
    const auto missed = misses([] { return BettingSequence({0, 1}, alpha); }, law.draw, law.mean, 10, 20, 10 + i);
    EXPECT_LE(clopper_pearson(missed, null_runs, gate_error, Sides::lower_only).lower, alpha) << law.name;
  }
}

TEST(BettingSequence, covers_on_each_side_alone) {
  const Law& law = laws()[2];
  for (const Sides sides : {Sides::lower_only, Sides::upper_only}) {
    const auto missed = misses([&] { return BettingSequence({0, 1}, alpha, sides); }, law.draw, law.mean, 5, 40, 20);
    EXPECT_LE(clopper_pearson(missed, null_runs, gate_error, Sides::lower_only).lower, alpha);
  }
}

TEST(SubGaussianSequence, covers_the_mean_at_every_stopping_time_and_uses_its_level) {
  // Centred coins of size 1 are 1-sub-Gaussian, and nearly Gaussian in sum: the boundary is close to sharp.
  const auto draw = [](double u) { return u < 0.5 ? 1.0 : -1.0; };
  for (const Sides sides : {Sides::two_sided, Sides::lower_only}) {
    const auto missed = misses([&] { return SubGaussianSequence(1.0, alpha, sides, 50.0); }, draw, 0.0, 200, 1, 30);
    EXPECT_LE(clopper_pearson(missed, null_runs, gate_error, Sides::lower_only).lower, alpha);
    EXPECT_GE(clopper_pearson(missed, null_runs, gate_error, Sides::upper_only).upper, alpha / 10);
  }
}

TEST(CoverageGate, catches_a_fixed_sample_interval_used_at_every_stopping_time) {
  // The classic misuse: mean +- 1.96 sigma/sqrt(n) looked at after each observation. If this gate passed it, the
  // coverage tests above would show nothing.
  struct Naive {
    SubGaussianSequence inner{1.0, alpha};
    Interval kept{};
    void update(std::span<const double> values) {
      inner.update(values);
      const double half_width = 1.96 / std::sqrt(static_cast<double>(inner.samples()));
      kept = {std::max(kept.lower, inner.mean() - half_width), std::min(kept.upper, inner.mean() + half_width)};
    }
    Interval interval() const { return kept; }
  };
  const auto draw = [](double u) { return u < 0.5 ? 1.0 : -1.0; };
  const auto missed = misses([] { return Naive(); }, draw, 0.0, 100, 1, 50);
  EXPECT_GT(clopper_pearson(missed, null_runs, gate_error, Sides::lower_only).lower, 2 * alpha);
}

TEST(BettingSequence, is_nearly_as_narrow_as_a_fixed_sample_bound_at_a_tiny_level) {
  BettingSequence betting({0, 1}, 1e-9);
  EmpiricalBernsteinSequence bernstein({0, 1}, 1e-9);
  std::vector<double> block(1000);
  for (std::uint64_t look = 0; look < 100; ++look) {
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = counter_uniform(60, look * block.size() + i);
    betting.update(block);
    bernstein.update(block);
  }
  const double fixed = std::sqrt(2 * std::log(2 / 1e-9) / 12 / 1e5);
  EXPECT_LT(betting.interval().width() / 2, 1.2 * fixed);
  EXPECT_GT(betting.interval().width() / 2, fixed);
  EXPECT_LT(betting.interval().width(), bernstein.interval().width());
  EXPECT_TRUE(betting.interval().contains(0.5));
  EXPECT_TRUE(bernstein.interval().contains(0.5));
  EXPECT_EQ(betting.samples(), 100000U);
  // A uniform law has kurtosis 9/5: within six standard errors sqrt(0.8/n) of its variance.
  EXPECT_NEAR(betting.variance(), 1.0 / 12, 6 * std::sqrt(0.8 / 1e5) / 12);
}

TEST(BettingSequence, gives_the_zero_event_rule_for_events_never_seen) {
  BettingSequence sequence({0, 1}, 1e-6, Sides::upper_only);
  sequence.update(std::vector<double>(1000000, 0.0));
  EXPECT_EQ(sequence.interval().lower, 0.0);
  // Fixed n would give log(1/alpha)/n; the mixture and the largest bet of 0.96 cost less than a third more.
  EXPECT_LT(sequence.interval().upper, 1.35 * std::log(1e6) / 1e6);
  EXPECT_GT(sequence.interval().upper, std::log(1e6) / 1e6);
}

TEST(BettingSequence, scales_with_the_range) {
  BettingSequence unit({0, 1}, 0.01), scaled({-3, 5}, 0.01);
  std::vector<double> x, y;
  for (std::uint64_t i = 0; i < 500; ++i) {
    x.push_back(counter_uniform(70, i));
    y.push_back(8 * x.back() - 3);
  }
  unit.update(x);
  scaled.update(y);
  constexpr double rounding = 2 * 500 * tests::unit_roundoff;  // two operations an observation
  EXPECT_NEAR(scaled.interval().lower, 8 * unit.interval().lower - 3, 8 * rounding);
  EXPECT_NEAR(scaled.interval().upper, 8 * unit.interval().upper - 3, 8 * rounding);
  EXPECT_NEAR(scaled.variance(), 64 * unit.variance(), 64 * rounding);
}

TEST(ConfidenceSequence, refuses_nan_and_values_outside_the_stated_range_by_index_and_value) {
  using testing::HasSubstr;
  using testing::ThrowsMessage;
  const std::vector<double> with_nan{0.5, 0.25, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<double> too_large{0.5, 1.5};
  EXPECT_THAT(
      [&] {
        BettingSequence({0, 1}, alpha).update(with_nan);
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("observation 2 = nan")));
  EXPECT_THAT(
      [&] {
        EmpiricalBernsteinSequence({0, 1}, alpha).update(too_large);
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("observation 1 = 1.5")));
  EXPECT_THAT([&] { SubGaussianSequence(1, alpha).update(with_nan); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("observation 2 = nan")));
  EXPECT_THROW(BettingSequence({1, 1}, alpha), std::invalid_argument);
  EXPECT_THROW(BettingSequence({0, 1}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::statistics
