// Every class of intervals under laws of the class, looked at after every observation.
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/statistics/anytime_interval.hpp"
#include "kernels/statistics/signed_rank.hpp"
#include "tests/support/null_laws.hpp"

namespace attest::statistics {
namespace {

constexpr double alpha = 0.05;
constexpr double infinity = std::numeric_limits<double>::infinity();

class EveryNullLaw : public testing::TestWithParam<tests::NullLaw> {};

TEST_P(EveryNullLaw, is_missed_at_no_more_than_the_stated_rate_by_every_class_that_admits_it) {
  constexpr int runs = 1000, observations = 200;
  const tests::NullLaw& law = GetParam();
  for (const LawClass& known : law.classes()) {
    int missing = 0;
    for (int run = 0; run < runs; ++run) {
      random::Stream stream(5, random::stream_key("promises"), static_cast<std::uint64_t>(run));
      Welford moments;
      bool missed = false;
      for (int n = 1; n <= observations && !missed; ++n) {
        moments.add(law.draw(stream));
        missed = !anytime_mean_interval(moments, known, alpha).contains(law.mean);
      }
      missing += missed ? 1 : 0;
    }
    EXPECT_LE(missing, tests::most_misses(runs, alpha)) << name(known.promise);
  }
}

TEST_P(EveryNullLaw, gives_symmetric_differences_that_signed_ranks_miss_at_no_more_than_the_stated_rate) {
  constexpr int runs = 2000, observations = 60;
  const tests::NullLaw& law = GetParam();
  const double log_level = -std::log(alpha / 2);
  int missing = 0;
  for (int run = 0; run < runs; ++run) {
    random::Stream stream(6, random::stream_key("promises"), static_cast<std::uint64_t>(run));
    std::vector<double> differences;
    for (int n = 0; n < observations; ++n) {
      const double first = law.draw(stream);
      differences.push_back(first - law.draw(stream));
    }
    bool missed = false;
    for (const auto& capital : {log_capital_above(differences, 0), log_capital_below(differences, 0)})
      for (const double now : capital) missed = missed || now >= log_level;
    missing += missed ? 1 : 0;
  }
  EXPECT_LE(missing, tests::most_misses(runs, alpha));
}

INSTANTIATE_TEST_SUITE_P(Promises, EveryNullLaw, testing::ValuesIn(tests::null_laws()), [](const auto& instance) {
  std::string name = instance.param.name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

Welford normal_moments(int n, double shift = 0, double scale = 1) {
  random::Stream stream(7, random::stream_key("normal moments"), 0);
  Welford moments;
  for (int i = 0; i < n; ++i) moments.add(shift + scale * stream.normal());
  return moments;
}

TEST(VarianceMeanInterval, is_finite_at_once_and_close_to_that_of_a_known_variance_later) {
  EXPECT_LT(variance_mean_interval(normal_moments(1), 1, 1e-3).width(), infinity);
  for (const int n : {50, 1000, 100'000}) {
    const double half = variance_mean_interval(normal_moments(n), 1, 1e-3).width() / 2 * std::sqrt(n);
    EXPECT_GT(half, 3.29);  // that of one look at normal observations
    EXPECT_LT(half, 5.6) << n;
  }
}

TEST(VarianceMeanInterval, is_a_point_where_nothing_varies_and_refuses_what_is_no_variance) {
  EXPECT_EQ(variance_mean_interval(normal_moments(3), 0, 1e-3).width(), 0);
  EXPECT_EQ(variance_mean_interval({}, 1, 1e-3).width(), infinity);
  for (const double bad : {-1.0, std::nan(""), infinity})
    EXPECT_THROW(variance_mean_interval(normal_moments(3), bad, 1e-3), std::invalid_argument);
  EXPECT_THROW(variance_mean_interval(normal_moments(3), 1, 1), std::invalid_argument);
}

TEST(VarianceMeanInterval, holds_what_observations_far_from_their_mean_say) {
  // One enormous observation among many: its square belongs to the boundary too, so that the mean 0 stays inside.
  Welford moments;
  for (int i = 0; i < 999; ++i) moments.add(0);
  moments.add(1e6);
  EXPECT_TRUE(variance_mean_interval(moments, 1e6, 1e-3).contains(0));
}

TEST(KurtosisMeanInterval, needs_observations_in_proportion_to_the_kurtosis_and_is_then_near_student_s) {
  EXPECT_EQ(kurtosis_mean_interval(normal_moments(40), 9, 1e-3).width(), infinity);
  for (const auto& [n, widest] : {std::pair{2000, 7.0}, {200'000, 6.0}}) {
    const Welford moments = normal_moments(n);
    const double half = kurtosis_mean_interval(moments, 3, 1e-3).width() / 2 * std::sqrt(n / moments.variance());
    EXPECT_GT(half, 3.29);
    EXPECT_LT(half, widest) << n;
  }
  for (const double bad : {0.5, std::nan(""), infinity})
    EXPECT_THROW(kurtosis_mean_interval(normal_moments(3), bad, 1e-3), std::invalid_argument);
}

TEST(KurtosisMeanInterval, scales_and_shifts_with_the_observations) {
  const Interval a = kurtosis_mean_interval(normal_moments(500), 3, alpha),
                 b = kurtosis_mean_interval(normal_moments(500, 64, 8), 3, alpha);
  // Five hundred observations below 128, each rounded once itself and once in the mean, and ten operations.
  constexpr double rounding = 1010 * 128 * 0x1p-53;
  EXPECT_NEAR(b.lower, 64 + 8 * a.lower, rounding);
  EXPECT_NEAR(b.upper, 64 + 8 * a.upper, rounding);
}

TEST(RangeMeanInterval, stays_inside_its_range_and_refuses_a_mean_outside) {
  Welford ones;
  for (int i = 0; i < 100; ++i) ones.add(1);
  const Interval found = range_mean_interval(ones, {0, 1}, 1e-3);
  EXPECT_EQ(found.upper, 1);
  EXPECT_GT(found.lower, 0.8);
  EXPECT_LT(found.lower, 1);
  EXPECT_THROW(range_mean_interval(ones, {0, 0.5}, 1e-3), std::invalid_argument);
  EXPECT_THROW(range_mean_interval(ones, {0, infinity}, 1e-3), std::invalid_argument);
}

TEST(AnytimeMeanInterval, says_of_each_class_what_it_is) {
  EXPECT_STREQ(name(LawClass::in_range(0, 1).promise), "range");
  EXPECT_EQ(promise_clause(LawClass::in_range(0, 0.5)), "holds for every law on [0, 0.5]");
  EXPECT_NE(promise_clause(LawClass::asymptotic()).find("asymptotic"), std::string::npos);
  EXPECT_THROW(anytime_mean_interval(normal_moments(9), {Promise::symmetric}, alpha), std::invalid_argument);
}

}  // namespace
}  // namespace attest::statistics
