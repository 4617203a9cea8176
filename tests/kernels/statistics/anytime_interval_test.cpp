#include "kernels/statistics/anytime_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/clopper_pearson.hpp"
#include "tests/support/null_laws.hpp"
#include "tests/support/rounding.hpp"

namespace attest::statistics {
namespace {

constexpr double alpha = 0.05;

// How often a sequence that is looked at after every observation ever misses, of `runs`.
template <typename Misses>
int runs_that_miss(int runs, const Misses& misses) {
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    random::Stream stream(31, random::stream_key("anytime"), static_cast<std::uint64_t>(run));
    count += misses(stream) ? 1 : 0;
  }
  return count;
}

TEST(AsymptoticMeanInterval, holds_the_mean_of_normal_observations_after_every_one_of_them) {
  const int missing = runs_that_miss(1000, [](random::Stream& stream) {
    Welford moments;
    for (int n = 1; n <= 400; ++n) {
      moments.add(7 + 100 * stream.normal());
      if (!asymptotic_mean_interval(moments, alpha).contains(7)) return true;
    }
    return false;
  });
  // At most alpha, with room for chance: P(more by luck) < 1e-9. A fixed-sample interval misses in a third of the runs.
  EXPECT_LE(missing, 1000 * alpha + 6 * std::sqrt(1000 * alpha * (1 - alpha)));
  EXPECT_GE(missing, 1) << "a sequence that never misses is wider than it need be";
}

TEST(AsymptoticMeanInterval, is_not_much_wider_than_student_s) {
  for (const int n : {24, 100, 1000}) {
    Welford moments;
    for (int i = 0; i < n; ++i) moments.add(i % 2);
    const double half = asymptotic_mean_interval(moments, 1e-3).width() / 2 / std::sqrt(moments.variance() / n);
    EXPECT_GE(half, 3.3) << n;
    EXPECT_LE(half, 5.6) << n;
  }
}

TEST(AsymptoticMeanInterval, says_nothing_before_the_burn_in_or_without_a_spread) {
  Welford moments, equal;
  for (std::uint64_t i = 1; i < asymptotic_burn_in; ++i) {
    moments.add(static_cast<double>(i));
    equal.add(2);
    EXPECT_EQ(asymptotic_mean_interval(moments, 1e-3).width(), std::numeric_limits<double>::infinity());
  }
  moments.add(0);
  equal.add(2);
  EXPECT_LT(asymptotic_mean_interval(moments, 1e-3).width(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(asymptotic_mean_interval(equal, 1e-3).width(), std::numeric_limits<double>::infinity());
  EXPECT_THROW(asymptotic_mean_interval(moments, 0), std::invalid_argument);
}

TEST(AsymptoticMeanInterval, is_called_so_because_skewed_laws_break_it) {
  const auto laws = tests::null_laws();
  const auto& skewed = *std::find_if(laws.begin(), laws.end(), [](const auto& law) { return law.name == "lognormal"; });
  const int missing = runs_that_miss(1000, [&](random::Stream& stream) {
    Welford moments;
    for (int n = 1; n <= 100; ++n) {
      moments.add(skewed.draw(stream));
      if (!asymptotic_mean_interval(moments, alpha).contains(skewed.mean)) return true;
    }
    return false;
  });
  EXPECT_GT(missing, tests::most_misses(1000, alpha));
}

TEST(AsymptoticMeanInterval, scales_and_shifts_with_the_observations) {
  Welford moments, moved;
  for (int i = 0; i < 50; ++i) {
    moments.add(std::sin(i));
    moved.add(1000 + 8 * std::sin(i));
  }
  const Interval a = asymptotic_mean_interval(moments, alpha), b = asymptotic_mean_interval(moved, alpha);
  // Fifty observations below 1008, each rounded once itself and once in the mean, and ten operations for the ends.
  constexpr double rounding = (50 + 50 + 10) * 1008 * tests::unit_roundoff;
  EXPECT_NEAR(b.lower, 1000 + 8 * a.lower, rounding);
  EXPECT_NEAR(b.upper, 1000 + 8 * a.upper, rounding);
}

TEST(AnytimeShareInterval, holds_the_share_after_every_trial) {
  for (const double share : {0.02, 0.5}) {
    const int missing = runs_that_miss(1000, [&](random::Stream& stream) {
      std::uint64_t successes = 0;
      for (std::uint64_t n = 1; n <= 300; ++n) {
        successes += stream.uniform() < share ? 1 : 0;
        if (n % 10 == 0 && !anytime_share_interval(successes, n, alpha).contains(share)) return true;
      }
      return false;
    });
    EXPECT_LE(missing, 1000 * alpha + 6 * std::sqrt(1000 * alpha * (1 - alpha))) << share;
  }
}

TEST(AnytimeShareInterval, is_what_its_definition_gives_where_that_is_simple) {
  // No success in n trials: (1 - p)^n > alpha/(n + 1). The bound is made of three log factorials below 36, each within
  // four units of roundoff, and rises by n/(1 - p) > n with p.
  constexpr double rounding = 3 * 4 * 36 / 16.0 * tests::unit_roundoff;
  EXPECT_NEAR(anytime_share_interval(0, 16, 1e-3).upper, 1 - std::pow(1e-3 / 17, 1.0 / 16), rounding);
  EXPECT_EQ(anytime_share_interval(0, 16, 1e-3).lower, 0);
  EXPECT_NEAR(anytime_share_interval(16, 16, 1e-3).lower, std::pow(1e-3 / 17, 1.0 / 16), rounding);
  // Never narrower than what a single look allows.
  for (const std::uint64_t k : {1U, 30U, 99U}) {
    const Interval fixed = clopper_pearson(k, 100, 1e-3), any = anytime_share_interval(k, 100, 1e-3);
    EXPECT_LT(any.lower, fixed.lower);
    EXPECT_GT(any.upper, fixed.upper);
    EXPECT_LT(any.width(), 1.6 * fixed.width());
  }
  EXPECT_THROW(anytime_share_interval(2, 1, 0.1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::statistics
