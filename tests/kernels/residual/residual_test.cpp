#include "kernels/residual/residual.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"

namespace attest::residual {
namespace {

namespace plain = attention::plain;
using attention::entries;
using attention::Index;
using attention::Shape;
using attention::Tensor;
using plain::normal_array;

const Shape shape{2, 3, 4};

/// Y_0..Y_layer.
std::vector<Tensor<double>> states(Index layer) {
  std::vector<Tensor<double>> all;
  for (Index l = 0; l <= layer; ++l) all.push_back(normal_array("Y" + std::to_string(l), shape));
  return all;
}

Tensor<double> sum(const Tensor<double>& a, double x, const Tensor<double>& b, double y, const Tensor<double>& c) {
  Tensor<double> result = a;
  for (std::size_t i = 0; i < result.values().size(); ++i) result.values()[i] += x * b.values()[i] + y * c.values()[i];
  return result;
}

double inner_product(const Tensor<double>& a, const Tensor<double>& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) total += a.values()[i] * b.values()[i];
  return total;
}

/// Three terms of the largest entry's size at most, two products and two sums, and 1 - t in another rounding.
constexpr double rounding = 8 * plain::unit_roundoff;
/// Differences of inner products of ENTRIES terms, each below 50 in size.
const double difference_rounding = 50 * 2 * static_cast<double>(entries(shape)) * plain::unit_roundoff;

TEST(Residual, standard_adds_the_layers_input) {
  const auto y = states(2);
  const Tensor<double> f = normal_array("f", shape);
  EXPECT_EQ(residual({}, 2, f, y), sum(f, 1, y[2], 0, y[2]));
}

TEST(Residual, generalised_takes_any_sequence_of_sources_and_factors) {
  const ResidualRule rule{.kind = ResidualRule::generalised, .sources = {0, 1, 0, 3}, .factors = {1, 0.5, 0.25}};
  const auto y = states(5);
  const Tensor<double> f = normal_array("f", shape);
  const auto upto = [&](Index layer) { return std::vector<Tensor<double>>(y.begin(), y.begin() + layer + 1); };
  EXPECT_EQ(residual(rule, 1, f, upto(1)), sum(f, 0.5, y[1], 0, y[1]));
  EXPECT_EQ(residual(rule, 2, f, upto(2)), sum(f, 0.25, y[0], 0, y[0]));
  EXPECT_EQ(residual(rule, 5, f, upto(5)), sum(f, 0.25, y[3], 0, y[3]));  // the last of each holds from there on
}

TEST(Residual, boosting_is_equation_4_3) {
  const auto y = states(3);
  const Tensor<double> f = normal_array("f", shape);
  EXPECT_LE(plain::scaled_difference(residual(boosting_rule(0.3), 3, f, y), sum(f, 0.3, y[0], 0.7, y[3])), rounding);
}

TEST(Residual, boosting_with_t_zero_and_in_the_first_layer_is_the_standard_rule) {
  const auto y = states(3);
  const Tensor<double> f = normal_array("f", shape);
  EXPECT_EQ(residual(boosting_rule(0), 3, f, y), residual({}, 3, f, y));
  EXPECT_LE(plain::scaled_difference(residual(boosting_rule(0.3), 0, f, states(0)), residual({}, 0, f, states(0))),
            rounding);
}

TEST(Residual, gradients_are_those_of_the_sum) {
  const auto y = states(2);
  const Tensor<double> f = normal_array("f", shape), dnext = normal_array("dnext", shape);
  const ResidualRule rules[] = {
      {}, {.kind = ResidualRule::generalised, .sources = {0, 0, 1}, .factors = {0.7}}, boosting_rule(0.3)};
  for (const ResidualRule& rule : rules) {
    std::vector<Tensor<double>> dy(3, Tensor<double>(shape));
    const double dt = residual_backward(rule, 2, y, dnext, dy);
    // The rule is linear in the states and in t: differences with step 1 are exact up to rounding.
    for (std::size_t l = 0; l < 3; ++l) {
      auto moved = y;
      const Tensor<double> direction = normal_array("direction", shape);
      moved[l] = sum(moved[l], 1, direction, 0, direction);
      const double change =
          inner_product(dnext, residual(rule, 2, f, moved)) - inner_product(dnext, residual(rule, 2, f, y));
      EXPECT_NEAR(inner_product(dy[l], direction), change, difference_rounding) << "state " << l;
    }
    if (rule.kind == ResidualRule::standard) continue;
    ResidualRule moved = rule;
    moved.factors[0] += 1;
    EXPECT_NEAR(dt, inner_product(dnext, residual(moved, 2, f, y)) - inner_product(dnext, residual(rule, 2, f, y)),
                difference_rounding);
  }
}

TEST(Residual, a_constrained_t_stays_in_the_unit_interval_and_can_come_back) {
  EXPECT_EQ(boosting_rule(1.5, true).factor(3), 1);
  EXPECT_EQ(boosting_rule(-0.5, true).factor(3), 0);
  EXPECT_EQ(boosting_rule(1.5).factor(3), 1.5);
  const auto y = states(2);
  for (const double sign : {1.0, -1.0}) {
    Tensor<double> dnext = sum(Tensor<double>(shape), sign, y[0], -sign, y[2]);  // d t = sign |Y_0 - Y_2|^2
    const auto gradient = [&](double t) {
      std::vector<Tensor<double>> dy(3, Tensor<double>(shape));
      return residual_backward(boosting_rule(t, true), 2, y, dnext, dy);
    };
    EXPECT_NE(gradient(0.5), 0);
    EXPECT_EQ(gradient(0) == 0, sign > 0);  // descent would lead below 0
    EXPECT_EQ(gradient(1) == 0, sign < 0);
  }
}

TEST(Residual, refuses_sources_that_do_not_exist_yet_and_missing_ones) {
  const Tensor<double> f = normal_array("f", shape);
  EXPECT_THROW(residual({.kind = ResidualRule::generalised, .sources = {2}}, 1, f, states(1)), std::invalid_argument);
  EXPECT_THROW(residual({.kind = ResidualRule::generalised}, 1, f, states(1)), std::invalid_argument);
  EXPECT_THROW(residual({}, 3, f, states(1)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::residual
