#include "kernels/statistics/signed_rank.hpp"

#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"

namespace attest::statistics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The capital is lowered by 1e-9 for rounding, its logarithm too; sums of 1024 terms up to 2^10 round below 1e-10.
constexpr double lowered_for_rounding = 2e-9;

std::vector<double> normals(int n, std::uint64_t sample = 0) {
  random::Stream stream(1, random::stream_key("signed rank"), sample);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(stream.normal());
  return values;
}

TEST(SignedRankCapital, is_a_fair_game_over_all_signs) {
  // Given the sizes every one of the 2^n patterns of signs is equally likely: the mean capital is 1 at every n.
  constexpr int n = 10;
  const std::vector<double> sizes = {0.3, 2, 0.7, 0.7, 1, 5, 0.1, 0.2, 3, 1.5};
  std::vector<double> mean(n, 0.0);
  for (int signs = 0; signs < 1 << n; ++signs) {
    std::vector<double> x = sizes;
    for (int i = 0; i < n; ++i)
      if ((signs >> i & 1) != 0) x[static_cast<std::size_t>(i)] *= -1;
    const auto capital = log_capital_above(x, 0);
    for (std::size_t i = 0; i < n; ++i) mean[i] += std::exp(capital[i]) / (1 << n);
  }
  for (const double one : mean) EXPECT_NEAR(one, 1, lowered_for_rounding);
}

/// The rank of each size among those so far, with equal ones below it, by counting them.
TEST(SignedRankCapital, bets_by_the_rank_among_the_sizes_so_far) {
  auto x = normals(300);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = std::round(x[i]);  // ties, and zeros
  const auto capital = log_capital_above(x, 0);
  constexpr double slopes[] = {0.0005, 0.0014, 0.004, 0.012, 0.035, 0.1, 0.3, 0.8, 2, infinity};
  double wealth[] = {0.004, 0.005, 0.007, 0.010, 0.014, 0.020, 0.18, 0.18, 0.18, 0.4};
  for (std::size_t i = 0; i < x.size(); ++i) {
    int rank = 0;
    for (std::size_t j = 0; j <= i; ++j) rank += std::fabs(x[j]) <= std::fabs(x[i]) ? 1 : 0;
    const double share = (rank - 0.5) / static_cast<double>(i + 1);
    // The quantile of a normal law by bisection of its distribution, good to a few roundings.
    double low = 0, high = 10;
    for (int k = 0; k < 200; ++k) (std::erf((low + high) / 2 / std::sqrt(2.0)) < share ? low : high) = (low + high) / 2;
    double sum = 0;
    for (std::size_t k = 0; k < std::size(wealth); ++k) {
      if (x[i] != 0) wealth[k] *= 1 + std::copysign(std::tanh(slopes[k] * low), x[i]);
      sum += wealth[k];
    }
    EXPECT_NEAR(capital[i], std::log(sum), lowered_for_rounding) << i;
  }
}

TEST(SignedRankCapital, falls_as_the_centre_rises) {
  const auto x = normals(40);
  auto before = log_capital_above(x, -3);
  for (double centre = -3; centre <= 3; centre += 0.01) {
    const auto now = log_capital_above(x, centre);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_LE(now[i], before[i]) << centre << ' ' << i;
    before = now;
  }
}

TEST(SignedRankCapital, ignores_what_lies_at_the_centre) {
  const auto capital = log_capital_above(std::vector<double>{0, 0, 0}, 0);
  for (const double one : capital) EXPECT_NEAR(one, 0, lowered_for_rounding);
  EXPECT_THROW(log_capital_above(std::vector<double>{0, std::nan("")}, 0), std::invalid_argument);
}

TEST(SignedRankInterval, holds_the_centres_that_the_bets_leave) {
  const auto x = normals(30);
  const double alpha = 0.01, log_level = -std::log(alpha / 2);
  const Interval found = signed_rank_interval(x, alpha);
  ASSERT_LT(found.width(), infinity);
  const auto ever_above = [&](double centre) {
    const auto capital = log_capital_above(x, centre);
    return *std::max_element(capital.begin(), capital.end()) >= log_level;
  };
  EXPECT_TRUE(ever_above(found.lower));
  EXPECT_FALSE(ever_above(std::nextafter(found.lower, infinity)));
  std::vector<double> mirrored;
  for (const double value : x) mirrored.push_back(-value);
  EXPECT_EQ(signed_rank_interval(mirrored, alpha).lower, -found.upper);
}

TEST(SignedRankInterval, never_widens_and_is_open_for_few_observations) {
  const auto x = normals(60);
  const int least = least_observations(0.01);
  EXPECT_EQ(least, 9);  // 0.4 * 2^9 > 200
  Interval before;
  for (std::size_t n = 1; n <= x.size(); ++n) {
    const Interval now = signed_rank_interval(std::span(x).first(n), 0.01);
    EXPECT_GE(now.lower, before.lower);
    EXPECT_LE(now.upper, before.upper);
    if (n < static_cast<std::size_t>(least)) {
      EXPECT_EQ(now.width(), infinity);
    }
    before = now;
  }
  EXPECT_EQ(signed_rank_interval({}, 0.01).width(), infinity);
  EXPECT_THROW(signed_rank_interval(x, 0), std::invalid_argument);
}

TEST(SignedRankInterval, does_not_feel_how_far_off_an_outlier_is) {
  auto x = normals(25), far = x;
  x[20] = 100;
  far[20] = 1e12;
  const Interval a = signed_rank_interval(x, 0.05), b = signed_rank_interval(far, 0.05);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
}

TEST(SignedRankInterval, is_as_wide_as_twice_student_s_at_most) {
  // Half widths of a mean of 100 normal observations at 0.01: 0.26 by Student for one look.
  const double half = signed_rank_interval(normals(100), 0.01).width() / 2;
  EXPECT_GT(half, 0.2);
  EXPECT_LT(half, 0.52);
}

TEST(SignedRankInterval, shrinks_with_the_root_of_the_number_of_observations) {
  // Half widths go as sqrt(2 log(2/(alpha w))/n), where w is the weight of the bet that fits: at most 0.18, at least
  // 0.004, so that from 300 observations to 30,000 the width times sqrt(n) grows by no more than 1.25; by chance, 4/3.
  const auto scaled = [](int n) { return signed_rank_interval(normals(n), 0.01).width() * std::sqrt(n); };
  EXPECT_LT(scaled(30000), 4.0 / 3 * scaled(300));
}

}  // namespace
}  // namespace attest::statistics
