#include "kernels/residual/grc_scan.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"

namespace attest::residual {
namespace {

bool same(const GrcExtreme& a, const GrcExtreme& b) {
  return a.factor == b.factor && a.lipschitz == b.lipschitz && a.weight == b.weight && a.layers == b.layers;
}

bool same(const GrcScan& a, const GrcScan& b) {
  return a.points == b.points && a.printed_violations == b.printed_violations && a.printed_open == b.printed_open &&
         a.sharp_violations == b.sharp_violations && a.sharp_open == b.sharp_open && same(a.largest, b.largest) &&
         same(a.least, b.least);
}

/// The recursion of the paper in 80 bits, point by point.
GrcScan by_definition(const GrcGrid& grid) {
  GrcScan all;
  for (std::uint64_t i = 0; i < grid.lipschitz.points; ++i)
    for (std::uint64_t j = 0; j < grid.weight.points; ++j) {
      const long double lipschitz = grid.lipschitz.at(i), t = grid.weight.at(j), slope = lipschitz + 1 - t;
      long double bound = lipschitz + 1, printed = slope, sharp = std::max(slope, 1.0L);
      for (std::uint64_t n = 1; n <= grid.layers; ++n) {
        const GrcExtreme here{static_cast<double>(bound / sharp), static_cast<double>(lipschitz),
                              static_cast<double>(t), n};
        join(all,
             {1, bound > grid.constant * printed ? 1U : 0U, 0, bound > grid.constant * sharp ? 1U : 0U, 0, here, here});
        bound = slope * bound + t;
        printed *= slope;
        sharp *= std::max(slope, 1.0L);
      }
    }
  return all;
}

// No point of this grid is within rounding of the constant, which `open` confirms.
const GrcGrid example{{0.01, 2, 37}, {0.02, 1, 29}, 60, 7.3};

TEST(GrcScan, counts_what_the_recursion_gives_point_by_point) {
  const GrcScan scan = scan_grc(example, 1), expected = by_definition(example);
  EXPECT_EQ(scan.points, 37U * 29U * 60U);
  EXPECT_EQ(scan.printed_open, 0U);
  EXPECT_EQ(scan.sharp_open, 0U);
  EXPECT_EQ(scan.printed_violations, expected.printed_violations);
  EXPECT_EQ(scan.sharp_violations, expected.sharp_violations);
  EXPECT_GT(scan.printed_violations, scan.sharp_violations);
  EXPECT_NEAR(scan.largest.factor, expected.largest.factor, grc_rounding(60) * expected.largest.factor);
  EXPECT_EQ(scan.largest.lipschitz, expected.largest.lipschitz);
  EXPECT_EQ(scan.largest.weight, expected.largest.weight);
  EXPECT_EQ(scan.largest.layers, expected.largest.layers);
  EXPECT_NEAR(scan.least.factor, expected.least.factor, grc_rounding(60) * expected.least.factor);
}

TEST(GrcScan, gives_the_same_for_any_number_of_threads) {
  const GrcScan once = scan_grc(example, 1);
  EXPECT_TRUE(same(once, scan_grc(example, 2)));
  EXPECT_TRUE(same(once, scan_grc(example, 7)));
}

TEST(GrcScan, finds_the_printed_law_broken_for_t_above_L_alone_once_n_is_large) {
  // For t < L the factor stays below (L + 1)/(L - t); for t > L it grows without bound.
  const GrcScan below = scan_grc({{1.5, 2, 8}, {0.1, 1, 8}, 4000, 3 / 0.5 + 0.01}, 2);
  EXPECT_EQ(below.printed_violations + below.printed_open, 0U);
  const GrcScan above = scan_grc({{0, 0.25, 8}, {0.5, 1, 8}, 4000, 100}, 2);
  EXPECT_GT(above.printed_violations, above.points * 9 / 10);
  EXPECT_EQ(above.sharp_violations, 0U);
}

TEST(GrcScan, calls_a_point_open_that_equals_its_constant_but_for_rounding) {
  // L = t = 1, n = 1, ..., 8: K_n = n + 1, and both laws are K_n <= C.
  const GrcScan scan = scan_grc({{1, 1, 1}, {1, 1, 1}, 8, 5}, 1);
  EXPECT_EQ(scan.printed_open, 1U);
  EXPECT_EQ(scan.printed_violations, 4U);
  EXPECT_DOUBLE_EQ(scan.largest.factor, 9);
  EXPECT_EQ(scan.largest.layers, 8U);
}

TEST(GrcScan, has_no_printed_law_where_it_predicts_nothing_at_all) {
  const GrcScan scan = scan_grc({{0, 0, 1}, {1, 1, 1}, 5, 1e300}, 1);  // L = 0, t = 1: K_n = 1 and (L + 1 - t)^n = 0
  EXPECT_EQ(scan.printed_violations, 5U);
  EXPECT_EQ(scan.sharp_violations, 0U);
  EXPECT_EQ(scan.largest.factor, 1);
}

TEST(GrcScan, is_the_same_on_a_device) {
  const auto found = device::cuda_devices();
  if (found.devices.empty()) GTEST_SKIP() << "nothing was compared: " << found.absence;
  EXPECT_TRUE(same(scan_grc_on_cuda(example), scan_grc(example, 2)));
}

TEST(GrcScan, refuses_what_is_not_a_grid) {
  EXPECT_THROW(scan_grc({{0, 1, 0}, {0, 1, 2}, 3, 1}, 1), std::invalid_argument);
  EXPECT_THROW(scan_grc({{0, 1, 2}, {0, 1.5, 2}, 3, 1}, 1), std::invalid_argument);
  EXPECT_THROW(scan_grc({{0, 1, 2}, {0, 1, 2}, 0, 1}, 1), std::invalid_argument);
  EXPECT_THROW(scan_grc({{0, 1, 2}, {0, 1, 2}, 3, std::nan("")}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::residual
