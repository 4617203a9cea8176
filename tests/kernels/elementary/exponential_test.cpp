#include "kernels/elementary/exponential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "kernels/simd/lanes.hpp"
#include "tests/kernels/counter_uniform.hpp"

namespace attest::elementary {
namespace {

using simd::Lanes;

// Largest relative error on (low, high), against long double.
template <typename T>
double worst_error(T low, T high) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const auto x = low + (high - low) * static_cast<T>(counter_uniform(1, i));
    const long double exact = std::exp(static_cast<long double>(x));
    const long double error = std::abs((static_cast<long double>(exponential(x)) - exact) / exact);
    worst = std::max(worst, static_cast<double>(error));
  }
  return worst;
}

TEST(Exponential, is_within_its_stated_error_of_the_long_double_value) {
  EXPECT_LE(worst_error<double>(-708, 700), 0x1p-51);
  EXPECT_LE(worst_error<float>(-87, 80), 0x1p-22);
  EXPECT_EQ(exponential(0.0), 1);
  EXPECT_EQ(exponential(0.0F), 1);
}

TEST(Exponential, vanishes_at_minus_infinity_and_keeps_nan) {
  EXPECT_EQ(exponential(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(exponential(-std::numeric_limits<float>::infinity()), 0);
  EXPECT_EQ(exponential(-88.2F), 0);
  EXPECT_GT(exponential(-87.0F), 0);
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

template <typename T>
void expect_same_bits_in_lanes() {
  using V = Lanes<T, 32>;
  T in[V::count], out[V::count];
  for (std::uint64_t i = 0; i < 1000; ++i) {
    for (int lane = 0; lane < V::count; ++lane)
      in[lane] = static_cast<T>(-100 * counter_uniform(static_cast<std::uint64_t>(lane), i));
    in[0] = i == 0 ? -std::numeric_limits<T>::infinity() : in[0];
    exponential_steps<T>(V::load(in)).store(out);
    for (int lane = 0; lane < V::count; ++lane) ASSERT_EQ(out[lane], exponential(in[lane])) << in[lane];
  }
}

TEST(Exponential, has_the_same_bits_in_lanes_as_alone) {
  expect_same_bits_in_lanes<float>();
  expect_same_bits_in_lanes<double>();
}

}  // namespace
}  // namespace attest::elementary
