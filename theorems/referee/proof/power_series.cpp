#include "theorems/referee/proof/power_series.hpp"

#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

namespace attest::referee {
namespace {

using language::Binary;
using language::Unary;
using rigor::Ball;
using rigor::Rational;
using rigor::working_precision;

constexpr int largest_exponent = 16;

using BallFunction = void (*)(arb_poly_struct*, const arb_poly_struct*, slong, slong);
using RationalFunction = void (*)(fmpq_poly_struct*, const fmpq_poly_struct*, slong);

BallSeries with(BallFunction f, const BallSeries& u) {
  BallSeries result;
  f(result.raw(), u.raw(), series_terms, working_precision());
  return result;
}

/// f(u) where f is known about the number `at` alone, which u must begin with.
std::optional<RationalSeries> about(int at, RationalFunction f, const RationalSeries& u) {
  if (u.coefficient(0) != Rational(at)) return std::nullopt;
  RationalSeries result;
  f(result.raw(), u.raw(), series_terms);
  return result;
}

RationalSeries plus(RationalSeries u, int number) {
  const RationalSeries other(Rational(number), 0);
  fmpq_poly_add(u.raw(), u.raw(), other.raw());
  return u;
}

/// u^n for n >= 1.
template <typename Series>
std::optional<Series> whole_power(const Series& u, std::int64_t n) {
  Series result = u;
  for (std::int64_t i = 1; i < n; ++i) result = *apply(Binary::multiply, result, u);
  return result;
}

BallSeries normal_cdf(const BallSeries& u) {
  const auto scaled = apply(Binary::divide, u, BallSeries(-rigor::sqrt(Ball(2)), 0));
  return *apply(Binary::divide, with(arb_hypgeom_erfc_series, *scaled), BallSeries(Ball(2), 0));
}

}  // namespace

BallSeries::BallSeries(const Ball& at, int slope) : BallSeries() {
  arb_poly_set_coeff_arb(value_, 0, at.raw());
  if (slope != 0) arb_poly_set_coeff_si(value_, 1, slope);
}

Ball BallSeries::coefficient(int k) const {
  Ball result;
  arb_poly_get_coeff_arb(result.raw(), value_, k);
  return result;
}

RationalSeries::RationalSeries(const Rational& at, int slope) : RationalSeries() {
  fmpq_poly_set_coeff_fmpq(value_, 0, at.raw());
  if (slope != 0) fmpq_poly_set_coeff_si(value_, 1, slope);
}

Rational RationalSeries::coefficient(int k) const {
  Rational result;
  fmpq_poly_get_coeff_fmpq(result.raw(), value_, k);
  return result;
}

std::optional<BallSeries> apply(Unary f, const BallSeries& u) {
  const BallSeries one(Ball(1), 0);
  switch (f) {
    case Unary::negate: {
      BallSeries result;
      arb_poly_neg(result.raw(), u.raw());
      return result;
    }
    case Unary::exp:
      return with(arb_poly_exp_series, u);
    case Unary::expm1:
      return apply(Binary::subtract, with(arb_poly_exp_series, u), one);
    case Unary::log:
      return with(arb_poly_log_series, u);
    case Unary::log1p:
      return with(arb_poly_log1p_series, u);
    case Unary::sqrt:
      return with(arb_poly_sqrt_series, u);
    case Unary::sin:
      return with(arb_poly_sin_series, u);
    case Unary::cos:
      return with(arb_poly_cos_series, u);
    case Unary::tan:
      return with(arb_poly_tan_series, u);
    case Unary::asin:
      return with(arb_poly_asin_series, u);
    case Unary::acos:
      return with(arb_poly_acos_series, u);
    case Unary::atan:
      return with(arb_poly_atan_series, u);
    case Unary::sinh:
      return with(arb_poly_sinh_series, u);
    case Unary::cosh:
      return with(arb_poly_cosh_series, u);
    case Unary::tanh:
      return apply(Binary::divide, with(arb_poly_sinh_series, u), with(arb_poly_cosh_series, u));
    case Unary::sigmoid: {
      const BallSeries e = with(arb_poly_exp_series, *apply(Unary::negate, u));
      return apply(Binary::divide, one, *apply(Binary::add, one, e));
    }
    case Unary::silu:
      return apply(Binary::multiply, u, *apply(Unary::sigmoid, u));
    case Unary::softplus:
      return with(arb_poly_log1p_series, with(arb_poly_exp_series, u));
    case Unary::erf:
      return with(arb_hypgeom_erf_series, u);
    case Unary::erfc:
      return with(arb_hypgeom_erfc_series, u);
    case Unary::normal_cdf:
      return normal_cdf(u);
    case Unary::gelu:
      return apply(Binary::multiply, u, normal_cdf(u));
    default:
      return std::nullopt;
  }
}

std::optional<BallSeries> apply(Binary f, const BallSeries& u, const BallSeries& v) {
  BallSeries result;
  switch (f) {
    case Binary::add:
      arb_poly_add(result.raw(), u.raw(), v.raw(), working_precision());
      return result;
    case Binary::subtract:
      arb_poly_sub(result.raw(), u.raw(), v.raw(), working_precision());
      return result;
    case Binary::multiply:
      arb_poly_mullow(result.raw(), u.raw(), v.raw(), series_terms, working_precision());
      return result;
    case Binary::divide:
      if (v.coefficient(0).contains_zero()) return std::nullopt;
      arb_poly_div_series(result.raw(), u.raw(), v.raw(), series_terms, working_precision());
      return result;
    default:
      return std::nullopt;
  }
}

std::optional<BallSeries> power(const BallSeries& u, const Rational& exponent) {
  if (exponent.is_whole() && exponent > Rational(0) && exponent <= Rational(largest_exponent))
    return whole_power(u, exponent.to_integer());
  if (!u.coefficient(0).is_positive()) return std::nullopt;
  BallSeries result;
  arb_poly_pow_arb_series(result.raw(), u.raw(), exponent.to_ball().raw(), series_terms, working_precision());
  return result;
}

std::optional<RationalSeries> apply(Unary f, const RationalSeries& u) {
  switch (f) {
    case Unary::negate: {
      RationalSeries result;
      fmpq_poly_neg(result.raw(), u.raw());
      return result;
    }
    case Unary::exp:
      return about(0, fmpq_poly_exp_series, u);
    case Unary::expm1: {
      const auto e = about(0, fmpq_poly_exp_series, u);
      return e ? std::optional(plus(*e, -1)) : std::nullopt;
    }
    case Unary::log:
      return about(1, fmpq_poly_log_series, u);
    case Unary::log1p:
      return about(1, fmpq_poly_log_series, plus(u, 1));
    case Unary::sqrt:
      return about(1, fmpq_poly_sqrt_series, u);
    case Unary::sin:
      return about(0, fmpq_poly_sin_series, u);
    case Unary::cos:
      return about(0, fmpq_poly_cos_series, u);
    case Unary::tan:
      return about(0, fmpq_poly_tan_series, u);
    case Unary::asin:
      return about(0, fmpq_poly_asin_series, u);
    case Unary::atan:
      return about(0, fmpq_poly_atan_series, u);
    case Unary::sinh:
      return about(0, fmpq_poly_sinh_series, u);
    case Unary::cosh:
      return about(0, fmpq_poly_cosh_series, u);
    case Unary::tanh:
      return about(0, fmpq_poly_tanh_series, u);
    case Unary::sigmoid: {
      const auto e = about(0, fmpq_poly_exp_series, *apply(Unary::negate, u));
      return e ? apply(Binary::divide, RationalSeries(Rational(1), 0), plus(*e, 1)) : std::nullopt;
    }
    case Unary::silu: {
      const auto s = apply(Unary::sigmoid, u);
      return s ? apply(Binary::multiply, u, *s) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<RationalSeries> apply(Binary f, const RationalSeries& u, const RationalSeries& v) {
  RationalSeries result;
  switch (f) {
    case Binary::add:
      fmpq_poly_add(result.raw(), u.raw(), v.raw());
      return result;
    case Binary::subtract:
      fmpq_poly_sub(result.raw(), u.raw(), v.raw());
      return result;
    case Binary::multiply:
      fmpq_poly_mullow(result.raw(), u.raw(), v.raw(), series_terms);
      return result;
    case Binary::divide:
      if (v.coefficient(0) == Rational(0)) return std::nullopt;
      fmpq_poly_div_series(result.raw(), u.raw(), v.raw(), series_terms);
      return result;
    default:
      return std::nullopt;
  }
}

std::optional<RationalSeries> power(const RationalSeries& u, const Rational& exponent) {
  if (exponent.is_whole() && exponent > Rational(0) && exponent <= Rational(largest_exponent))
    return whole_power(u, exponent.to_integer());
  if (exponent.is_whole() && exponent < Rational(0) && exponent >= Rational(-largest_exponent))
    return apply(Binary::divide, RationalSeries(Rational(1), 0), *whole_power(u, -exponent.to_integer()));
  return exponent == Rational::from_text("1/2") ? apply(Unary::sqrt, u) : std::nullopt;
}

}  // namespace attest::referee
