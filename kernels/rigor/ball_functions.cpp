#include "kernels/rigor/ball_functions.hpp"

#include "kernels/rigor/ball.hpp"

#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

namespace attest::rigor {
namespace {

Ball apply(void (*function)(arb_t, const arb_t, slong), const Ball& x) {
  Ball result;
  function(result.raw(), x.raw(), working_precision());
  return result;
}

Ball apply(void (*function)(arb_t, const arb_t, const arb_t, slong), const Ball& x, const Ball& y) {
  Ball result;
  function(result.raw(), x.raw(), y.raw(), working_precision());
  return result;
}

Ball indeterminate() {
  Ball result;
  arb_indeterminate(result.raw());
  return result;
}

// The ends of a finite ball as exact numbers, rounded outwards.
Ball lower_end(const Ball& x) {
  Ball result;
  arb_get_lbound_arf(arb_midref(result.raw()), x.raw(), working_precision());
  return result;
}
Ball upper_end(const Ball& x) {
  Ball result;
  arb_get_ubound_arf(arb_midref(result.raw()), x.raw(), working_precision());
  return result;
}

}  // namespace

Ball abs(const Ball& x) {
  if (!x.is_finite()) return indeterminate();
  if (x.is_nonnegative()) return x;
  if (x.is_nonpositive()) return -x;
  return Ball::hull(0, max(upper_end(x), upper_end(-x)));
}

Ball square(const Ball& x) { return x.is_wide() ? pow_integer(x, 2) : apply(arb_sqr, x); }

Ball sqrt(const Ball& x) { return apply(arb_sqrt, x); }
Ball exp(const Ball& x) { return apply(arb_exp, x); }
Ball expm1(const Ball& x) { return apply(arb_expm1, x); }
Ball log(const Ball& x) { return apply(arb_log, x); }
Ball log1p(const Ball& x) { return apply(arb_log1p, x); }

Ball pow(const Ball& base, const Ball& exponent) {
  if (base.is_nonnegative() && !base.is_positive() && !base.is_exact() && exponent.is_positive()) {
    // 0^y = 0 and t^y grows with t: [0, b]^y lies in [0, b^y], whatever y > 0 is chosen from the ball.
    return Ball::hull(0, apply(arb_pow, upper_end(base), exponent));
  }
  return apply(arb_pow, base, exponent);
}

Ball pow_integer(const Ball& base, std::int64_t exponent) {
  if (exponent > 0 && base.is_wide()) {
    // Odd powers grow everywhere, even ones with |base|: the powers of the two ends are the ends.
    const Ball growing = exponent % 2 == 0 ? abs(base) : base;
    return Ball::hull(apply(arb_pow, lower_end(growing), exponent), apply(arb_pow, upper_end(growing), exponent));
  }
  return apply(arb_pow, base, Ball(exponent));
}

Ball min(const Ball& a, const Ball& b) { return apply(arb_min, a, b); }
Ball max(const Ball& a, const Ball& b) { return apply(arb_max, a, b); }
Ball sin(const Ball& x) { return apply(arb_sin, x); }
Ball cos(const Ball& x) { return apply(arb_cos, x); }
Ball sinh(const Ball& x) { return apply(arb_sinh, x); }
Ball cosh(const Ball& x) { return apply(arb_cosh, x); }
Ball tanh(const Ball& x) { return apply(arb_tanh, x); }
Ball erf(const Ball& x) { return apply(arb_hypgeom_erf, x); }
Ball gamma(const Ball& x) { return apply(arb_gamma, x); }
Ball lgamma(const Ball& x) { return apply(arb_lgamma, x); }
Ball beta(const Ball& a, const Ball& b) { return gamma(a) * gamma(b) * apply(arb_rgamma, a + b); }

}  // namespace attest::rigor
