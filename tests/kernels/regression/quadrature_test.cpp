#include "kernels/regression/quadrature.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/regression/quadrature_agreement.hpp"

namespace attest::regression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Integrate, is_exact_within_its_own_error) {
  const std::vector<double> line{-infinity, -1, 1, infinity};
  const Integral normal = integrate([](double u) { return std::exp(-u * u); }, line);
  EXPECT_LE(std::abs(normal.value - std::sqrt(std::numbers::pi)), normal.error);
  constexpr double pieces = 3, two_rules = 4 * 0x1p-52, sum = 0x1p-52;
  EXPECT_LT(normal.error, (pieces * two_rules + sum) * normal.value);
  const Integral tail = integrate([](double u) { return 1 / (1 + u * u); }, line);
  EXPECT_LE(std::abs(tail.value - std::numbers::pi), tail.error);
  const std::vector<double> kinked{-1, 0, 2};
  EXPECT_DOUBLE_EQ(integrate([](double u) { return std::abs(u); }, kinked).value, 2.5);
}

TEST(Integrate, confesses_an_integral_it_cannot_resolve) {
  const std::vector<double> unit{0, 1};
  const Integral rough = integrate([](double u) { return u < 1 / std::numbers::pi ? 0.0 : 1.0; }, unit);
  EXPECT_LE(std::abs(rough.value - (1 - 1 / std::numbers::pi)), rough.error);
}

TEST(Integrate, refuses_decreasing_splits) {
  const std::vector<double> splits{1, 0};
  EXPECT_THROW(integrate([](double) { return 1.0; }, splits), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
