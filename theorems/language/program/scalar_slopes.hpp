// The derivatives of the functions of one and two numbers, written once for doubles and balls: only scalar_doubles.cpp
// and scalar_balls.cpp include this.
#pragma once

#include <cmath>

#include "theorems/language/program/scalar.hpp"

namespace attest::language::slopes_of {

using rigor::Ball;

double special_digamma(double x);
Ball special_digamma(const Ball& x);
double special_trigamma(double x);
Ball special_trigamma(const Ball& x);
double special_sigmoid(double x);
Ball special_sigmoid(const Ball& x);
double special_normal_cdf(double x);
Ball special_normal_cdf(const Ball& x);
double special_normal_pdf(double x);
Ball special_normal_pdf(const Ball& x);
double special_pi(double);
Ball special_pi(const Ball&);
/// p/q in the type of the last argument.
double exact(std::int64_t p, std::int64_t q, double);
Ball exact(std::int64_t p, std::int64_t q, const Ball&);
double undefined(double);
Ball undefined(const Ball&);
/// `below` for x < 0, `above` for x > 0, in balls the hull of both at 0.
double step(double x, double below, double above);
Ball step(const Ball& x, const Ball& below, const Ball& above);
/// 0, and not a number where a ball meets a whole number in its inside.
double flat_between_whole_numbers(double x);
Ball flat_between_whole_numbers(const Ball& x);
/// 0, and not a number where a ball meets 0.
double flat_off_zero(double x);
Ball flat_off_zero(const Ball& x);
/// Weights of the two arguments of max (`larger`) or min.
Slopes<double> which(double x, double y, bool larger);
Slopes<Ball> which(const Ball& x, const Ball& y, bool larger);
bool is_zero(double x);
bool is_zero(const Ball& x);

template <typename T>
T unary(Unary f, const T& x, const T& y) {
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
      return step(x, T(-1), one);
    case Unary::sign:
      return flat_off_zero(x);
    case Unary::floor:
    case Unary::ceil:
      return flat_between_whole_numbers(x);
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
      return two / sqrt(special_pi(x)) * exp(-(x * x));
    case Unary::erfc:
      return -(two / sqrt(special_pi(x)) * exp(-(x * x)));
    case Unary::erfinv:
      return sqrt(special_pi(x)) / two * exp(y * y);
    case Unary::gamma:
      return y * special_digamma(x);
    case Unary::lgamma:
      return special_digamma(x);
    case Unary::digamma:
      return special_trigamma(x);
    case Unary::sigmoid:
      return y * special_sigmoid(-x);
    case Unary::softplus:
      return special_sigmoid(x);
    case Unary::relu:
      return step(x, T(0), one);
    case Unary::gelu:
      return special_normal_cdf(x) + x * special_normal_pdf(x);
    case Unary::gelu_tanh: {
      const T rate = sqrt(two / special_pi(x)), cubic = exact(44715, 1000000, x);
      const T inner = rate * (x + cubic * x * x * x);
      const T shifted = special_sigmoid(two * inner);  // (1 + tanh(inner)) / 2
      return shifted + x * two * shifted * special_sigmoid(-(two * inner)) * rate * (one + T(3) * cubic * x * x);
    }
    case Unary::silu: {
      const T s = special_sigmoid(x);
      return s + x * s * special_sigmoid(-x);
    }
    case Unary::elu:
      return step(x, exp(x), one);
    case Unary::normal_cdf:
      return special_normal_pdf(x);
    case Unary::normal_pdf:
      return -(x * y);
    case Unary::normal_quantile:
      return one / special_normal_pdf(y);
    case Unary::entropy_term:
      return -(log(x) + one);
  }
  return undefined(x);
}

template <typename T>
Slopes<T> binary(Binary f, const T& x, const T& y, const T& z) {
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
      return {is_zero(y) ? T(0) : y * value(Binary::power, x, y - T(1)), is_zero(z) ? T(0) : z * log(x)};
    case Binary::min:
      return which(x, y, false);
    case Binary::max:
      return which(x, y, true);
    case Binary::beta: {
      const T both = special_digamma(x + y);
      return {z * (special_digamma(x) - both), z * (special_digamma(y) - both)};
    }
    case Binary::divergence_term:
      if (is_zero(x)) return {undefined(x), T(0)};
      return {log(x / y) + T(1), -(x / y)};
  }
  return {undefined(x), undefined(x)};
}

}  // namespace attest::language::slopes_of
