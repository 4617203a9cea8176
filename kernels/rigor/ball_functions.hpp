// Elementary and special functions of balls. ball.hpp includes this file; include that one.
#pragma once

#include <concepts>
#include <cstdint>

#include "kernels/rigor/ball.hpp"

namespace attest::rigor {

/// |x|, never reaching below 0.
Ball abs(const Ball& x);
/// x^2, never reaching below 0 and tight for wide balls too.
Ball square(const Ball& x);
/// Square root; not finite where the ball reaches below 0.
Ball sqrt(const Ball& x);
Ball exp(const Ball& x);
/// e^x - 1, accurate relative to its size near 0.
Ball expm1(const Ball& x);
/// Natural logarithm; not finite unless the ball is positive.
Ball log(const Ball& x);
/// log(1 + x), accurate relative to its size near 0.
Ball log1p(const Ball& x);
/// base^exponent. A base that reaches 0 but not below is allowed where the exponent is certainly positive.
Ball pow(const Ball& base, const Ball& exponent);
/// base^exponent for any sign of base; 0^0 = 1.
Ball pow_integer(const Ball& base, std::int64_t exponent);
// A template, since a plain overload for integers would take pow(x, 0.5) and round 0.5 to 0.
template <std::integral T>
Ball pow(const Ball& base, T exponent) {
  return pow_integer(base, static_cast<std::int64_t>(exponent));
}
/// The smaller (larger) of two numbers.
Ball min(const Ball& a, const Ball& b);
Ball max(const Ball& a, const Ball& b);
Ball sin(const Ball& x);
Ball cos(const Ball& x);
Ball sinh(const Ball& x);
Ball cosh(const Ball& x);
Ball tanh(const Ball& x);
/// (2 / sqrt(pi)) int_0^x exp(-t^2) dt.
Ball erf(const Ball& x);
/// Gamma(x), and log Gamma(x) for x > 0.
Ball gamma(const Ball& x);
Ball lgamma(const Ball& x);
/// B(a, b) = Gamma(a) Gamma(b) / Gamma(a + b).
Ball beta(const Ball& a, const Ball& b);

}  // namespace attest::rigor
