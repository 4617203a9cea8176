#include "simulations/measure/estimate.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "tests/support/rounding.hpp"

namespace attest::measure {
namespace {

constexpr double quantile_rounding = 512 * tests::unit_roundoff;

TEST(MeanEstimate, is_students_interval) {
  // Mean 2, s = 1, n = 3: 2 -+ t / sqrt(3), with the 0.975 quantile (2p - 1) sqrt(2/(1 - (2p - 1)^2)) of two degrees of
  // freedom, which Boost promises to a few hundred units.
  const double half = 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)) / std::sqrt(3.0);
  const Estimate estimate = mean_estimate(std::vector<double>{1, 2, 3});
  EXPECT_DOUBLE_EQ(estimate.value, 2);
  EXPECT_NEAR(estimate.lower, 2 - half, half * quantile_rounding);
  EXPECT_NEAR(estimate.upper, 2 + half, half * quantile_rounding);
  EXPECT_EQ(estimate.units, 3);
}

TEST(MeanEstimate, covers_the_mean_as_often_as_it_says) {
  int covered = 0;
  constexpr int repetitions = 2000;
  for (int r = 0; r < repetitions; ++r) {
    random::Stream stream(11, random::stream_key("test/coverage"), static_cast<std::uint64_t>(r));
    std::vector<double> values(10);
    for (double& value : values) value = 3 + stream.normal();
    const Estimate estimate = mean_estimate(values);
    covered += estimate.lower <= 3 && 3 <= estimate.upper ? 1 : 0;
  }
  // Five standard deviations of the binomial: false alarm below 1e-6.
  EXPECT_NEAR(covered, 0.95 * repetitions, 5 * std::sqrt(repetitions * 0.95 * 0.05));
}

TEST(MedianEstimate, lies_between_order_statistics) {
  // n = 9: P(Bin(9, 1/2) <= 1) = 10/512 < 0.025 <= P(<= 2), so the interval runs from the 2nd to the 8th value.
  const Estimate estimate = median_estimate({9, 1, 8, 2, 7, 3, 6, 4, 1e300});
  EXPECT_EQ(estimate.value, 6);
  EXPECT_EQ(estimate.lower, 2);
  EXPECT_EQ(estimate.upper, 9);
  EXPECT_EQ(median_estimate({4, 1, 3, 2}).value, 2.5);
  EXPECT_EQ(median_estimate({4, 1, 3, 2}).upper, 4) << "four values are too few for the level: the extremes";
}

TEST(RatioEstimate, is_the_ratio_of_sums_with_an_interval_over_units) {
  const Estimate estimate = ratio_estimate(std::vector<double>{1, 3, 2}, std::vector<double>{2, 4, 6});
  EXPECT_DOUBLE_EQ(estimate.value, 0.5);
  EXPECT_LT(estimate.lower, 0.5);
  EXPECT_GT(estimate.upper, 0.5);
  const Estimate exact = ratio_estimate(std::vector<double>{1, 2, 3}, std::vector<double>{2, 4, 6});
  EXPECT_DOUBLE_EQ(exact.lower, 0.5);
  EXPECT_DOUBLE_EQ(exact.upper, 0.5);
}

TEST(ShareEstimate, stays_inside_zero_and_one) {
  const Estimate none = share_estimate(0, 10);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, 1 - std::pow(0.025, 0.1), quantile_rounding);
  EXPECT_EQ(share_estimate(10, 10).upper, 1);
}

TEST(Estimates, refuse_values_that_are_not_finite_and_too_few_units) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(mean_estimate(std::vector<double>{1, nan, 2}), std::invalid_argument);
  EXPECT_THROW(mean_estimate(std::vector<double>{1}), std::invalid_argument);
  EXPECT_THROW(ratio_estimate(std::vector<double>{1, 2}, std::vector<double>{0, 0}), std::invalid_argument);
  EXPECT_THROW(ratio_estimate(std::vector<double>{1, 2}, std::vector<double>{1}), std::invalid_argument);
  EXPECT_THROW(share_estimate(0, 0), std::invalid_argument);
}

TEST(Estimates, are_written_with_the_digits_that_the_interval_supports) {
  EXPECT_EQ(to_text({0.51234, 0.49, 0.53, 9}), "0.512 [0.490, 0.530]");
  EXPECT_EQ(to_text({12345.678, 12000, 12700, 9}), "12346 [12000, 12700]");
  EXPECT_EQ(to_text({0.25, 0.25, 0.25, 9}), "0.2500 [0.2500, 0.2500]");
  EXPECT_EQ(to_text({0, 0, 0, 9}), "0 [0, 0]");
  EXPECT_EQ(to_text({0.05, 0.01, 30000, 9}), "5.00e-02 [1.00e-02, 3.00e+04]");
  EXPECT_EQ(to_percent({0.5, 0.4, 0.6, 9}), "50.0 % [40.0, 60.0]");
  EXPECT_EQ(to_text({2e-7, 1e-7, 3e-7, 9}), "2.00e-07 [1.00e-07, 3.00e-07]");
}

}  // namespace
}  // namespace attest::measure
