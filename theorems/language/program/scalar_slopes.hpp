// The derivatives of the functions of one and two numbers, written once for doubles and balls: only scalar_doubles.cpp
// and scalar_balls.cpp include this.
#pragma once

#include <cmath>

#include "theorems/language/program/scalar_table.hpp"

namespace attest::language::slopes_of {

/// f'(x) from x and y = f(x), see `slope` in scalar.hpp. Numbers<T> gives, beside the table's functions, `trigamma`,
/// `pi`, `exact` (p/q), `step` (one number below 0 and another above; in balls the hull of both at 0), derivatives that
/// are 0 `flat_off_zero` or `flat_between_whole_numbers` (and undefined where a ball meets what they exclude), and
/// `which`, the weights of the two arguments of max (`larger`) or min.
template <typename T>
T unary(Unary f, const T& x, const T& y) {
  using N = Numbers<T>;
  using std::cos, std::cosh, std::exp, std::log, std::sin, std::sinh, std::sqrt;
  const T one(1), two(2);
  switch (f) {
    case Unary::negate:
      return T(-1);
    case Unary::exp:
      return y;
    case Unary::log:
      return one / x;
    case Unary::log2:
      return one / (x * log(two));
    case Unary::log10:
      return one / (x * log(T(10)));
    case Unary::log1p:
      return one / (one + x);
    case Unary::expm1:
      return exp(x);
    case Unary::sqrt:
      return one / (two * y);
    case Unary::cbrt:
      return one / (T(3) * y * y);
    case Unary::abs:
      return N::step(x, T(-1), one);
    case Unary::sign:
      return N::flat_off_zero(x);
    case Unary::floor:
    case Unary::ceil:
      return N::flat_between_whole_numbers(x);
    case Unary::sin:
      return cos(x);
    case Unary::cos:
      return -sin(x);
    case Unary::tan:
      return one + y * y;
    case Unary::asin:
      return one / sqrt(one - x * x);
    case Unary::acos:
      return -(one / sqrt(one - x * x));
    case Unary::atan:
      return one / (one + x * x);
    case Unary::sinh:
      return cosh(x);
    case Unary::cosh:
      return sinh(x);
    case Unary::tanh:
      return one - y * y;
    case Unary::asinh:
      return one / sqrt(one + x * x);
    case Unary::acosh:
      return one / (sqrt(x - one) * sqrt(x + one));
    case Unary::atanh:
      return one / ((one - x) * (one + x));
    case Unary::erf:
      return two / sqrt(N::pi()) * exp(-(x * x));
    case Unary::erfc:
      return -(two / sqrt(N::pi()) * exp(-(x * x)));
    case Unary::erfinv:
      return sqrt(N::pi()) / two * exp(y * y);
    case Unary::gamma:
      return y * N::digamma(x);
    case Unary::lgamma:
      return N::digamma(x);
    case Unary::digamma:
      return N::trigamma(x);
    case Unary::sigmoid:
      return y * N::sigmoid(-x);
    case Unary::softplus:
      return N::sigmoid(x);
    case Unary::relu:
      return N::step(x, T(0), one);
    case Unary::gelu:
      return N::normal_cdf(x) + x * N::normal_pdf(x);
    case Unary::gelu_tanh: {
      const T rate = sqrt(two / N::pi()), cubic = N::exact(44715, 1000000);
      const T inner = rate * (x + cubic * x * x * x);
      const T shifted = N::sigmoid(two * inner);  // (1 + tanh(inner)) / 2
      return shifted + x * two * shifted * N::sigmoid(-(two * inner)) * rate * (one + T(3) * cubic * x * x);
    }
    case Unary::silu: {
      const T s = N::sigmoid(x);
      return s + x * s * N::sigmoid(-x);
    }
    case Unary::elu:
      return N::step(x, exp(x), one);
    case Unary::normal_cdf:
      return N::normal_pdf(x);
    case Unary::normal_pdf:
      return -(x * y);
    case Unary::normal_quantile:
      return one / N::normal_pdf(y);
    case Unary::entropy_term:
      return -(log(x) + one);
  }
  return N::undefined();
}

/// Both partial derivatives of z = f(x, y).
template <typename T>
Slopes<T> binary(Binary f, const T& x, const T& y, const T& z) {
  using N = Numbers<T>;
  using std::log;
  switch (f) {
    case Binary::add:
      return {T(1), T(1)};
    case Binary::subtract:
      return {T(1), T(-1)};
    case Binary::multiply:
      return {y, x};
    case Binary::divide:
      return {T(1) / y, -(z / y)};
    case Binary::power:
      // d/dx y x^(y-1); at x = 0 the derivative by y is 0 where y > 0.
      return {N::is_zero(y) ? T(0) : y * value(Binary::power, x, y - T(1)), N::is_zero(z) ? T(0) : z * log(x)};
    case Binary::min:
      return N::which(x, y, false);
    case Binary::max:
      return N::which(x, y, true);
    case Binary::beta: {
      const T both = N::digamma(x + y);
      return {z * (N::digamma(x) - both), z * (N::digamma(y) - both)};
    }
    case Binary::divergence_term:
      if (N::is_zero(x)) return {N::undefined(), T(0)};
      return {log(x / y) + T(1), -(x / y)};
  }
  return {N::undefined(), N::undefined()};
}

}  // namespace attest::language::slopes_of
