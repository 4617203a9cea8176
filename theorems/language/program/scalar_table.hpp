// The functions of one and two numbers as one table for doubles and balls: only scalar_doubles.cpp and scalar_balls.cpp
// include this.
#pragma once

#include "theorems/language/program/scalar.hpp"

namespace attest::language {

/// What the table is made of in one type of number: a static function for each entry that is not a plain operator, and
/// `undefined`, which is NaN or a ball that is not finite. Specialised before the table is used.
template <typename T>
struct Numbers;

/// f(x), see `value` in scalar.hpp.
template <typename T>
T table_value(Unary f, const T& x) {
  using N = Numbers<T>;
  switch (f) {
    case Unary::negate:
      return -x;
    case Unary::exp:
      return N::exp(x);
    case Unary::log:
      return N::log(x);
    case Unary::log2:
      return N::log2(x);
    case Unary::log10:
      return N::log10(x);
    case Unary::log1p:
      return N::log1p(x);
    case Unary::expm1:
      return N::expm1(x);
    case Unary::sqrt:
      return N::sqrt(x);
    case Unary::cbrt:
      return N::cbrt(x);
    case Unary::abs:
      return N::abs(x);
    case Unary::sign:
      return N::sign(x);
    case Unary::floor:
      return N::floor(x);
    case Unary::ceil:
      return N::ceil(x);
    case Unary::sin:
      return N::sin(x);
    case Unary::cos:
      return N::cos(x);
    case Unary::tan:
      return N::tan(x);
    case Unary::asin:
      return N::asin(x);
    case Unary::acos:
      return N::acos(x);
    case Unary::atan:
      return N::atan(x);
    case Unary::sinh:
      return N::sinh(x);
    case Unary::cosh:
      return N::cosh(x);
    case Unary::tanh:
      return N::tanh(x);
    case Unary::asinh:
      return N::asinh(x);
    case Unary::acosh:
      return N::acosh(x);
    case Unary::atanh:
      return N::atanh(x);
    case Unary::erf:
      return N::erf(x);
    case Unary::erfc:
      return N::erfc(x);
    case Unary::erfinv:
      return N::erfinv(x);
    case Unary::gamma:
      return N::gamma(x);
    case Unary::lgamma:
      return N::lgamma(x);
    case Unary::digamma:
      return N::digamma(x);
    case Unary::sigmoid:
      return N::sigmoid(x);
    case Unary::softplus:
      return N::softplus(x);
    case Unary::relu:
      return N::relu(x);
    case Unary::gelu:
      return x * N::normal_cdf(x);
    case Unary::gelu_tanh:
      return N::gelu_tanh(x);
    case Unary::silu:
      return x * N::sigmoid(x);
    case Unary::elu:
      return N::elu(x);
    case Unary::normal_cdf:
      return N::normal_cdf(x);
    case Unary::normal_pdf:
      return N::normal_pdf(x);
    case Unary::normal_quantile:
      return N::normal_quantile(x);
    case Unary::entropy_term:
      return N::entropy_term(x);
  }
  return N::undefined();
}

/// f(x, y), see `value` in scalar.hpp.
template <typename T>
T table_value(Binary f, const T& x, const T& y) {
  using N = Numbers<T>;
  switch (f) {
    case Binary::add:
      return x + y;
    case Binary::subtract:
      return x - y;
    case Binary::multiply:
      return x * y;
    case Binary::divide:
      return N::divide(x, y);
    case Binary::power:
      return N::power(x, y);
    case Binary::min:
      return N::min(x, y);
    case Binary::max:
      return N::max(x, y);
    case Binary::beta:
      return N::beta(x, y);
    case Binary::divergence_term:
      return N::divergence_term(x, y);
  }
  return N::undefined();
}

}  // namespace attest::language
