// When an integral by quadrature agrees with a known value.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/regression/quadrature.hpp"
#include "tests/support/rounding.hpp"

namespace attest::regression {

/// `integrate` refines until two rules agree to 4 units of 2^-52 of int |f| on each of its pieces, which are at most 24
/// here; where the rounding of f itself is larger, it stops at 1e-11.
constexpr double resolved = 24 * 4 * 0x1p-52, resolved_to_noise = 24 * 1e-11;

/// The value is as near to `known` as the quadrature says itself, and as the error of `known`, a few roundings beside
/// `known_error`, allows; and it has resolved its integrand of the `size` int |f|, as far as `resolution` says.
inline void expect_integral(const Integral& found, double known, double known_error = 0, double size = 0,
                            double resolution = resolved) {
  constexpr double roundings = 4;
  EXPECT_NEAR(found.value, known, found.error + known_error + roundings * tests::unit_roundoff * std::fabs(known));
  EXPECT_LE(found.error, resolution * std::fmax(size, std::fmax(1, std::fabs(known))));
}

}  // namespace attest::regression
