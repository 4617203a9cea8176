#include "theorems/boosting/lipschitz_recurrence.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace attest::boosting {
namespace {

/// K_n by both evaluations, which must enclose `expected` and agree with it to their rounding.
void expect_bound(const std::vector<double>& layers, double t, double expected, LipschitzRecurrence recurrence = {}) {
  EXPECT_TRUE(recurrence.step_by_step(layers, t).contains(expected)) << layers.size() << " layers, t = " << t;
  const double rounding = 5 * static_cast<double>(layers.size()) * 0x1p-53;
  EXPECT_LE(std::abs(recurrence.unrolled(layers, t) - expected), rounding * std::abs(expected))
      << layers.size() << " layers, t = " << t;
}

TEST(LipschitzRecurrence, multiplies_the_layers_of_a_residual_network) {
  expect_bound({3}, 0, 4);
  expect_bound({1, 2, 3}, 0, 2 * 3 * 4);
  expect_bound({0, 0, 0}, 0, 1);
}

TEST(LipschitzRecurrence, adds_the_first_input_at_every_boosted_layer) {
  expect_bound({1}, 0.5, 2);
  expect_bound({1, 1}, 0.5, 3.5);
  expect_bound({1, 1, 1}, 0.5, 5.75);
  expect_bound({1, 3}, 0.25, 3.75 * 2 + 0.25);
  expect_bound({3, 1}, 0.25, 1.75 * 4 + 0.25);
}

TEST(LipschitzRecurrence, is_a_geometric_sum_at_t_equal_to_one) {
  expect_bound({2, 2, 2}, 1, 1 + 2 + 4 + 8);
  expect_bound({0.5, 0.5}, 1, 1.75);
}

TEST(LipschitzRecurrence, grows_linearly_at_t_equal_to_the_constant) {
  expect_bound(std::vector(100, 0.5), 0.5, 1 + 100 * 0.5);
}

TEST(LipschitzRecurrence, takes_the_factors_of_near_misses) {
  expect_bound({1, 1}, 0.5, 3, {.carried = 0});
  expect_bound({1, 1}, 0.5, 1.5 * 1 + 0.5, {.first = 0});
  expect_bound({1, 1}, 0.5, 1.25 * 2 + 0.5, {.stay = 0.5});
}

}  // namespace
}  // namespace attest::boosting
