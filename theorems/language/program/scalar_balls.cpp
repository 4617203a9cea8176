#include "theorems/language/program/scalar.hpp"
#include "theorems/language/program/scalar_slopes.hpp"

#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/acb.h>
#include <flint/arb_hypgeom.h>
#else
#include <acb.h>
#include <arb_hypgeom.h>
#endif

namespace attest::language {
namespace {

using rigor::Ball;
using rigor::working_precision;

using Function = void (*)(arb_t, const arb_t, slong);

Ball apply(Function function, const Ball& x) {
  Ball result;
  function(result.raw(), x.raw(), working_precision());
  return result;
}

Ball indeterminate() {
  Ball result;
  arb_indeterminate(result.raw());
  return result;
}

/// An end of the ball as an exact number.
Ball end_of(const Ball& x, bool upper) {
  Ball result;
  (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(arb_midref(result.raw()), x.raw(), working_precision());
  return result;
}

/// f of a wide ball from its two ends, for a function that grows (or falls) everywhere.
Ball monotone(Function function, const Ball& x) {
  if (!x.is_wide()) return apply(function, x);
  return Ball::hull(apply(function, end_of(x, false)), apply(function, end_of(x, true)));
}

Ball sqrt_two() { return rigor::sqrt(Ball(2)); }
Ball sigmoid(const Ball& x) { return Ball(1) / (Ball(1) + rigor::exp(-x)); }
Ball normal_cdf(const Ball& x) { return monotone(arb_hypgeom_erfc, -x / sqrt_two()) / Ball(2); }
Ball normal_pdf(const Ball& x) { return rigor::exp(-(rigor::square(x) / Ball(2))) / rigor::sqrt(Ball(2) * Ball::pi()); }

Ball trigamma(const Ball& x) {
  acb_t order, z;
  acb_init(order);
  acb_init(z);
  acb_one(order);
  acb_set_arb(z, x.raw());
  acb_polygamma(z, order, z, working_precision());
  Ball result;
  arb_set(result.raw(), acb_realref(z));
  acb_clear(z);
  acb_clear(order);
  return result;
}

Ball cube_root(const Ball& x) {
  Function root = [](arb_t z, const arb_t t, slong precision) { arb_root_ui(z, t, 3, precision); };
  if (x.is_nonnegative()) return apply(root, x);
  if (x.is_nonpositive()) return -apply(root, -x);
  return Ball::hull(-apply(root, -end_of(x, false)), apply(root, end_of(x, true)));
}

/// Only where the whole of the ball lies in [low, high] of exact ends.
Ball inside(const Ball& x, const Ball& low, const Ball& high, Function function) {
  if (!rigor::certainly_less_equal(low, x) || !rigor::certainly_less_equal(x, high)) return indeterminate();
  return apply(function, x);
}

Ball erfinv(const Ball& x) {
  if (!rigor::certainly_less(Ball(-1), x) || !rigor::certainly_less(x, Ball(1))) return indeterminate();
  return monotone(arb_hypgeom_erfinv, x);
}

/// -x log x, which is 0 at 0, grows up to 1/e and falls from there on.
Ball entropy_term(const Ball& x) {
  if (arb_is_zero(x.raw())) return Ball(0);
  if (x.is_positive()) return -(x * rigor::log(x));
  if (!x.is_nonnegative() || !x.is_finite()) return indeterminate();
  const Ball top = end_of(x, true), peak = rigor::exp(Ball(-1));
  const Ball at_top = -(top * rigor::log(top));
  return rigor::certainly_less_equal(top, peak) ? Ball::hull(0, at_top) : Ball::hull(Ball::hull(0, peak), at_top);
}

Ball divergence_term(const Ball& x, const Ball& y) {
  if (arb_is_zero(x.raw()) && y.is_nonnegative()) return Ball(0);
  if (!x.is_nonnegative() || !y.is_positive()) return indeterminate();
  if (x.is_positive()) return x * rigor::log(x / y);
  return -entropy_term(x) - x * rigor::log(y);
}

}  // namespace

namespace slopes_of {
Ball special_digamma(const Ball& x) { return apply(arb_digamma, x); }
Ball special_trigamma(const Ball& x) { return trigamma(x); }
Ball special_sigmoid(const Ball& x) { return sigmoid(x); }
Ball special_normal_cdf(const Ball& x) { return normal_cdf(x); }
Ball special_normal_pdf(const Ball& x) { return normal_pdf(x); }
Ball special_pi(const Ball&) { return Ball::pi(); }
Ball exact(std::int64_t p, std::int64_t q, const Ball&) { return Ball::from_rational(p, q); }
Ball undefined(const Ball&) { return indeterminate(); }
Ball step(const Ball& x, const Ball& below, const Ball& above) {
  if (x.is_positive()) return above;
  if (x.is_negative()) return below;
  return x.is_finite() ? Ball::hull(below, above) : indeterminate();
}
Ball flat_between_whole_numbers(const Ball& x) {
  const Ball lower = apply(arb_floor, x);
  return lower.is_finite() && lower.is_exact() ? Ball(0) : indeterminate();
}
Ball flat_off_zero(const Ball& x) { return x.is_positive() || x.is_negative() ? Ball(0) : indeterminate(); }
Slopes<Ball> which(const Ball& x, const Ball& y, bool larger) {
  const Ball first = step(larger ? x - y : y - x, Ball(0), Ball(1));
  return {first, Ball(1) - first};
}
bool is_zero(const Ball& x) { return arb_is_zero(x.raw()) != 0; }
}  // namespace slopes_of

Ball value(Unary f, const Ball& x) {
  using enum Unary;
  switch (f) {
    case negate:
      return -x;
    case exp:
      return rigor::exp(x);
    case log:
      return rigor::log(x);
    case log2:
      return rigor::log(x) / rigor::log(Ball(2));
    case log10:
      return rigor::log(x) / rigor::log(Ball(10));
    case log1p:
      return rigor::log1p(x);
    case expm1:
      return rigor::expm1(x);
    case sqrt:
      return rigor::sqrt(x);
    case cbrt:
      return cube_root(x);
    case abs:
      return rigor::abs(x);
    case sign:
      if (arb_is_zero(x.raw())) return Ball(0);
      return slopes_of::step(x, Ball(-1), Ball(1));
    case floor:
      return apply(arb_floor, x);
    case ceil:
      return apply(arb_ceil, x);
    case sin:
      return rigor::sin(x);
    case cos:
      return rigor::cos(x);
    case tan:
      return apply(arb_tan, x);
    case asin:
      return inside(x, -1, 1, arb_asin);
    case acos:
      return inside(x, -1, 1, arb_acos);
    case atan:
      return apply(arb_atan, x);
    case sinh:
      return monotone(arb_sinh, x);
    case cosh:
      return rigor::cosh(x);
    case tanh:
      return monotone(arb_tanh, x);
    case asinh:
      return apply(arb_asinh, x);
    case acosh:
      return rigor::certainly_less_equal(Ball(1), x) ? apply(arb_acosh, x) : indeterminate();
    case atanh:
      return rigor::certainly_less(Ball(-1), x) && rigor::certainly_less(x, Ball(1)) ? apply(arb_atanh, x)
                                                                                     : indeterminate();
    case erf:
      return monotone(arb_hypgeom_erf, x);
    case erfc:
      return monotone(arb_hypgeom_erfc, x);
    case erfinv:
      return language::erfinv(x);
    case gamma:
      return rigor::gamma(x);
    case lgamma:
      return x.is_positive() ? rigor::lgamma(x) : indeterminate();
    case digamma:
      return apply(arb_digamma, x);
    case sigmoid:
      return language::sigmoid(x);
    case softplus:
      return rigor::log1p(rigor::exp(x));
    case relu:
      return rigor::max(x, Ball(0));
    case gelu:
      return x * language::normal_cdf(x);
    case gelu_tanh: {
      const Ball inner = x + Ball::from_rational(44715, 1000000) * rigor::pow_integer(x, 3);
      // (1 + tanh t) / 2 = sigmoid(2 t)
      return x * language::sigmoid(Ball(2) * rigor::sqrt(Ball(2) / Ball::pi()) * inner);
    }
    case silu:
      return x * language::sigmoid(x);
    case elu:
      return rigor::max(x, Ball(0)) + rigor::expm1(rigor::min(x, Ball(0)));
    case normal_cdf:
      return language::normal_cdf(x);
    case normal_pdf:
      return language::normal_pdf(x);
    case normal_quantile:
      return sqrt_two() * language::erfinv(Ball(2) * x - Ball(1));
    case entropy_term:
      return language::entropy_term(x);
  }
  return indeterminate();
}

Ball value(Binary f, const Ball& x, const Ball& y) {
  using enum Binary;
  switch (f) {
    case add:
      return x + y;
    case subtract:
      return x - y;
    case multiply:
      return x * y;
    case divide:
      return y.contains_zero() ? indeterminate() : x / y;
    case power:
      return rigor::pow(x, y);
    case min:
      return rigor::min(x, y);
    case max:
      return rigor::max(x, y);
    case beta:
      return x.is_positive() && y.is_positive() ? rigor::beta(x, y) : indeterminate();
    case divergence_term:
      return language::divergence_term(x, y);
  }
  return indeterminate();
}

Ball slope(Unary f, const Ball& x, const Ball& y) { return slopes_of::unary<Ball>(f, x, y); }
Slopes<Ball> slopes(Binary f, const Ball& x, const Ball& y, const Ball& z) {
  return slopes_of::binary<Ball>(f, x, y, z);
}

Ball power(const Ball& x, const rigor::Rational& exponent) {
  if (exponent.is_whole()) {
    const std::int64_t whole = exponent.to_integer();
    return whole < 0 && x.contains_zero() ? indeterminate() : rigor::pow_integer(x, whole);
  }
  if (!x.is_nonnegative()) return indeterminate();
  if (exponent == rigor::Rational(1, 2)) return rigor::sqrt(x);
  return rigor::pow(x, exponent.to_ball());
}

}  // namespace attest::language
