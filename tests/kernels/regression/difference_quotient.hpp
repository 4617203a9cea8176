// Derivatives by difference quotients, and how far they are off.
#pragma once

#include "tests/support/rounding.hpp"

namespace attest::regression {

constexpr double difference_step = 1e-3;

/// g'(x) by five points: the error is d^4/30 times the fifth derivative, and 3/2 of the error of g over d.
template <typename Function>
double slope(const Function& g, double x) {
  constexpr double d = difference_step;
  return (8 * (g(x + d) - g(x - d)) - (g(x + 2 * d) - g(x - 2 * d))) / (12 * d);
}

/// The bound of that error for fifth derivatives below `fifth`, and g a sum of terms below `size` with 8 roundings
/// each.
constexpr double slope_error(double fifth, double size) {
  constexpr double d = difference_step;
  return d * d * d * d / 30 * fifth + 1.5 * 8 * tests::unit_roundoff * size / d;
}

}  // namespace attest::regression
