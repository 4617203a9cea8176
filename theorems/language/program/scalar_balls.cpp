#include "theorems/language/program/scalar_slopes.hpp"
#include "theorems/language/program/scalar_table.hpp"

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

using ArbFunction = void (*)(arb_t, const arb_t, slong);

Ball apply(ArbFunction function, const Ball& x) {
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
Ball monotone(ArbFunction function, const Ball& x) {
  if (!x.is_wide()) return apply(function, x);
  return Ball::hull(apply(function, end_of(x, false)), apply(function, end_of(x, true)));
}

Ball cube_root(const Ball& x) {
  ArbFunction root = [](arb_t z, const arb_t t, slong precision) { arb_root_ui(z, t, 3, precision); };
  if (x.is_nonnegative()) return apply(root, x);
  if (x.is_nonpositive()) return -apply(root, -x);
  return Ball::hull(-apply(root, -end_of(x, false)), apply(root, end_of(x, true)));
}

/// Only where the whole of the ball lies in [-1, 1].
Ball on_unit_interval(const Ball& x, ArbFunction function) {
  if (!rigor::certainly_less_equal(Ball(-1), x) || !rigor::certainly_less_equal(x, Ball(1))) return indeterminate();
  return apply(function, x);
}

/// Only where the whole of the ball lies between -1 and 1.
bool is_inside_unit_interval(const Ball& x) {
  return rigor::certainly_less(Ball(-1), x) && rigor::certainly_less(x, Ball(1));
}

}  // namespace

template <>
struct Numbers<Ball> {
  static Ball undefined() { return indeterminate(); }
  static Ball pi() { return Ball::pi(); }
  static Ball exact(std::int64_t p, std::int64_t q) { return Ball::from_rational(p, q); }
  static bool is_zero(const Ball& x) { return arb_is_zero(x.raw()) != 0; }

  static Ball exp(const Ball& x) { return rigor::exp(x); }
  static Ball log(const Ball& x) { return rigor::log(x); }
  static Ball log2(const Ball& x) { return rigor::log(x) / rigor::log(Ball(2)); }
  static Ball log10(const Ball& x) { return rigor::log(x) / rigor::log(Ball(10)); }
  static Ball log1p(const Ball& x) { return rigor::log1p(x); }
  static Ball expm1(const Ball& x) { return rigor::expm1(x); }
  static Ball sqrt(const Ball& x) { return rigor::sqrt(x); }
  static Ball cbrt(const Ball& x) { return cube_root(x); }
  static Ball abs(const Ball& x) { return rigor::abs(x); }
  static Ball sign(const Ball& x) { return is_zero(x) ? Ball(0) : step(x, Ball(-1), Ball(1)); }
  static Ball floor(const Ball& x) { return apply(arb_floor, x); }
  static Ball ceil(const Ball& x) { return apply(arb_ceil, x); }
  static Ball sin(const Ball& x) { return rigor::sin(x); }
  static Ball cos(const Ball& x) { return rigor::cos(x); }
  static Ball tan(const Ball& x) { return apply(arb_tan, x); }
  static Ball asin(const Ball& x) { return on_unit_interval(x, arb_asin); }
  static Ball acos(const Ball& x) { return on_unit_interval(x, arb_acos); }
  static Ball atan(const Ball& x) { return apply(arb_atan, x); }
  static Ball sinh(const Ball& x) { return monotone(arb_sinh, x); }
  static Ball cosh(const Ball& x) { return rigor::cosh(x); }
  static Ball tanh(const Ball& x) { return monotone(arb_tanh, x); }
  static Ball asinh(const Ball& x) { return apply(arb_asinh, x); }
  static Ball acosh(const Ball& x) {
    return rigor::certainly_less_equal(Ball(1), x) ? apply(arb_acosh, x) : indeterminate();
  }
  static Ball atanh(const Ball& x) { return is_inside_unit_interval(x) ? apply(arb_atanh, x) : indeterminate(); }
  static Ball erf(const Ball& x) { return monotone(arb_hypgeom_erf, x); }
  static Ball erfc(const Ball& x) { return monotone(arb_hypgeom_erfc, x); }
  static Ball erfinv(const Ball& x) {
    return is_inside_unit_interval(x) ? monotone(arb_hypgeom_erfinv, x) : indeterminate();
  }
  static Ball gamma(const Ball& x) { return rigor::gamma(x); }
  static Ball lgamma(const Ball& x) { return x.is_positive() ? rigor::lgamma(x) : indeterminate(); }
  static Ball digamma(const Ball& x) { return apply(arb_digamma, x); }
  static Ball trigamma(const Ball& x);
  static Ball sigmoid(const Ball& x) { return Ball(1) / (Ball(1) + rigor::exp(-x)); }
  static Ball softplus(const Ball& x) { return rigor::log1p(rigor::exp(x)); }
  static Ball relu(const Ball& x) { return rigor::max(x, Ball(0)); }
  static Ball gelu_tanh(const Ball& x) {
    const Ball inner = x + Ball::from_rational(44715, 1000000) * rigor::pow_integer(x, 3);
    // (1 + tanh t) / 2 = sigmoid(2 t)
    return x * sigmoid(Ball(2) * rigor::sqrt(Ball(2) / Ball::pi()) * inner);
  }
  static Ball elu(const Ball& x) { return rigor::max(x, Ball(0)) + rigor::expm1(rigor::min(x, Ball(0))); }
  static Ball normal_cdf(const Ball& x) { return monotone(arb_hypgeom_erfc, -x / rigor::sqrt(Ball(2))) / Ball(2); }
  static Ball normal_pdf(const Ball& x) {
    return rigor::exp(-(rigor::square(x) / Ball(2))) / rigor::sqrt(Ball(2) * Ball::pi());
  }
  static Ball normal_quantile(const Ball& x) { return rigor::sqrt(Ball(2)) * erfinv(Ball(2) * x - Ball(1)); }
  static Ball entropy_term(const Ball& x);

  static Ball divide(const Ball& x, const Ball& y) { return y.contains_zero() ? indeterminate() : x / y; }
  static Ball power(const Ball& x, const Ball& y) { return rigor::pow(x, y); }
  static Ball min(const Ball& x, const Ball& y) { return rigor::min(x, y); }
  static Ball max(const Ball& x, const Ball& y) { return rigor::max(x, y); }
  static Ball beta(const Ball& x, const Ball& y) {
    return x.is_positive() && y.is_positive() ? rigor::beta(x, y) : indeterminate();
  }
  static Ball divergence_term(const Ball& x, const Ball& y);

  // For the derivatives.
  static Ball step(const Ball& x, const Ball& below, const Ball& above) {
    if (x.is_positive()) return above;
    if (x.is_negative()) return below;
    return x.is_finite() ? Ball::hull(below, above) : indeterminate();
  }
  static Ball flat_between_whole_numbers(const Ball& x) {
    const Ball lower = apply(arb_floor, x);
    return lower.is_finite() && lower.is_exact() ? Ball(0) : indeterminate();
  }
  static Ball flat_off_zero(const Ball& x) { return x.is_positive() || x.is_negative() ? Ball(0) : indeterminate(); }
  static Slopes<Ball> which(const Ball& x, const Ball& y, bool larger) {
    const Ball first = step(larger ? x - y : y - x, Ball(0), Ball(1));
    return {first, Ball(1) - first};
  }
};

Ball Numbers<Ball>::trigamma(const Ball& x) {
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

/// -x log x, which is 0 at 0, grows up to 1/e and falls from there on.
Ball Numbers<Ball>::entropy_term(const Ball& x) {
  if (is_zero(x)) return Ball(0);
  if (x.is_positive()) return -(x * rigor::log(x));
  if (!x.is_nonnegative() || !x.is_finite()) return indeterminate();
  const Ball top = end_of(x, true), peak = rigor::exp(Ball(-1));
  const Ball at_top = -(top * rigor::log(top));
  return rigor::certainly_less_equal(top, peak) ? Ball::hull(0, at_top) : Ball::hull(Ball::hull(0, peak), at_top);
}

Ball Numbers<Ball>::divergence_term(const Ball& x, const Ball& y) {
  if (is_zero(x) && y.is_nonnegative()) return Ball(0);
  if (!x.is_nonnegative() || !y.is_positive()) return indeterminate();
  if (x.is_positive()) return x * rigor::log(x / y);
  return -entropy_term(x) - x * rigor::log(y);
}

Ball value(Unary f, const Ball& x) { return table_value<Ball>(f, x); }
Ball value(Binary f, const Ball& x, const Ball& y) { return table_value<Ball>(f, x, y); }
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
