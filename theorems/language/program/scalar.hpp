// Functions of one and two numbers, with their derivatives, for doubles and for balls.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/rigor/ball.hpp"
#include "kernels/rigor/rational.hpp"

namespace attest::language {

enum class Unary : std::uint8_t {
  negate,
  exp,
  log,
  log2,
  log10,
  log1p,
  expm1,
  sqrt,
  cbrt,
  abs,
  sign,
  floor,
  ceil,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  erfinv,
  gamma,
  lgamma,
  digamma,
  sigmoid,
  softplus,
  relu,
  gelu,
  gelu_tanh,
  silu,
  elu,
  normal_cdf,
  normal_pdf,
  normal_quantile,
  entropy_term  ///< -x log x, 0 at 0
};

enum class Binary : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  power,
  min,
  max,
  beta,
  divergence_term  ///< x log(x/y), 0 where x = 0 and y >= 0; undefined where x > 0 = y
};

/// The function of that name in the language; empty where there is none.
std::optional<Unary> unary_named(std::string_view name);

/// f(x). Outside of its domain, and at a pole, NaN or a ball that is not finite. Real functions: sqrt and log of
/// numbers >= 0 and > 0, lgamma for x > 0, log2 and log10 as log; gelu(x) = x normal_cdf(x), gelu_tanh its
/// approximation 1/2 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), silu(x) = x sigmoid(x), softplus(x) = log(1 + e^x),
/// elu(x) = x for x > 0 and e^x - 1 below.
double value(Unary f, double x);
rigor::Ball value(Unary f, const rigor::Ball& x);
/// f(x, y).
double value(Binary f, double x, double y);
rigor::Ball value(Binary f, const rigor::Ball& x, const rigor::Ball& y);

/// f'(x) from x and y = f(x); at a kink one of the one-sided derivatives, in balls the hull of both.
double slope(Unary f, double x, double y);
rigor::Ball slope(Unary f, const rigor::Ball& x, const rigor::Ball& y);

/// Both partial derivatives of z = f(x, y).
template <typename T>
struct Slopes {
  T x, y;
};
Slopes<double> slopes(Binary f, double x, double y, double z);
Slopes<rigor::Ball> slopes(Binary f, const rigor::Ball& x, const rigor::Ball& y, const rigor::Ball& z);

/// x^exponent for an exact exponent: any x for a whole exponent (no 0 for one below 0), x >= 0 otherwise; 0^0 = 1.
double power(double x, const rigor::Rational& exponent);
rigor::Ball power(const rigor::Ball& x, const rigor::Rational& exponent);

}  // namespace attest::language
