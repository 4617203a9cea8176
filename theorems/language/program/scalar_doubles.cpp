#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include "theorems/language/program/scalar_slopes.hpp"
#include "theorems/language/program/scalar_table.hpp"

namespace attest::language {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Outside of a domain the answer is NaN, never an exception.
using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

bool is_pole_of_gamma(double x) { return x <= 0 && x == std::floor(x); }

}  // namespace

template <>
struct Numbers<double> {
  static double undefined() { return nan; }
  static double pi() { return std::numbers::pi; }
  static double exact(std::int64_t p, std::int64_t q) { return static_cast<double>(p) / static_cast<double>(q); }
  static bool is_zero(double x) { return x == 0; }

  static double exp(double x) { return std::exp(x); }
  static double log(double x) { return x > 0 ? std::log(x) : nan; }
  static double log2(double x) { return x > 0 ? std::log2(x) : nan; }
  static double log10(double x) { return x > 0 ? std::log10(x) : nan; }
  static double log1p(double x) { return x > -1 ? std::log1p(x) : nan; }
  static double expm1(double x) { return std::expm1(x); }
  static double sqrt(double x) { return x >= 0 ? std::sqrt(x) : nan; }
  static double cbrt(double x) { return std::cbrt(x); }
  static double abs(double x) { return std::fabs(x); }
  static double sign(double x) { return std::isnan(x) ? nan : static_cast<double>((x > 0) - (x < 0)); }
  static double floor(double x) { return std::floor(x); }
  static double ceil(double x) { return std::ceil(x); }
  static double sin(double x) { return std::isfinite(x) ? std::sin(x) : nan; }
  static double cos(double x) { return std::isfinite(x) ? std::cos(x) : nan; }
  static double tan(double x) { return std::isfinite(x) ? std::tan(x) : nan; }
  static double asin(double x) { return std::fabs(x) <= 1 ? std::asin(x) : nan; }
  static double acos(double x) { return std::fabs(x) <= 1 ? std::acos(x) : nan; }
  static double atan(double x) { return std::atan(x); }
  static double sinh(double x) { return std::sinh(x); }
  static double cosh(double x) { return std::cosh(x); }
  static double tanh(double x) { return std::tanh(x); }
  static double asinh(double x) { return std::asinh(x); }
  static double acosh(double x) { return x >= 1 ? std::acosh(x) : nan; }
  static double atanh(double x) { return std::fabs(x) < 1 ? std::atanh(x) : nan; }
  static double erf(double x) { return std::erf(x); }
  static double erfc(double x) { return std::erfc(x); }
  static double erfinv(double x) { return std::fabs(x) < 1 ? boost::math::erf_inv(x, Quiet()) : nan; }
  static double gamma(double x) { return is_pole_of_gamma(x) ? nan : std::tgamma(x); }
  static double lgamma(double x) { return x > 0 ? std::lgamma(x) : nan; }
  static double digamma(double x) {
    return std::isfinite(x) && !is_pole_of_gamma(x) ? boost::math::digamma(x, Quiet()) : nan;
  }
  static double trigamma(double x) {
    return std::isfinite(x) && !is_pole_of_gamma(x) ? boost::math::trigamma(x, Quiet()) : nan;
  }
  static double sigmoid(double x) {
    if (x >= 0) return 1 / (1 + std::exp(-x));
    const double e = std::exp(x);
    return e / (1 + e);
  }
  static double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
  static double relu(double x) { return std::isnan(x) ? nan : std::max(x, 0.0); }
  static double gelu_tanh(double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
  }
  static double elu(double x) { return x > 0 ? x : std::expm1(x); }
  static double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
  static double normal_pdf(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
  static double normal_quantile(double x) {
    return x > 0 && x < 1 ? -std::numbers::sqrt2 * boost::math::erfc_inv(2 * x, Quiet()) : nan;
  }
  static double entropy_term(double x) { return x > 0 ? -x * std::log(x) : (x == 0 ? 0 : nan); }

  static double divide(double x, double y) { return y == 0 ? nan : x / y; }
  static double power(double x, double y) { return x == 0 && y < 0 ? nan : std::pow(x, y); }
  static double min(double x, double y) { return std::isnan(x) || std::isnan(y) ? nan : std::min(x, y); }
  static double max(double x, double y) { return std::isnan(x) || std::isnan(y) ? nan : std::max(x, y); }
  static double beta(double x, double y) {
    return x > 0 && y > 0 ? std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y)) : nan;
  }
  static double divergence_term(double x, double y) {
    if (x == 0 && y >= 0) return 0;
    return x > 0 && y > 0 ? x * (std::log(x) - std::log(y)) : nan;
  }

  // For the derivatives.
  static double step(double x, double below, double above) { return x > 0 ? above : below; }
  static double flat_between_whole_numbers(double x) { return std::isfinite(x) ? 0 : nan; }
  static double flat_off_zero(double x) { return std::isnan(x) ? nan : 0; }
  static Slopes<double> which(double x, double y, bool larger) {
    const double first = (larger ? x >= y : x <= y) ? 1 : 0;
    return {first, 1 - first};
  }
};

double value(Unary f, double x) { return table_value<double>(f, x); }
double value(Binary f, double x, double y) { return table_value<double>(f, x, y); }
double slope(Unary f, double x, double y) { return slopes_of::unary<double>(f, x, y); }
Slopes<double> slopes(Binary f, double x, double y, double z) { return slopes_of::binary<double>(f, x, y, z); }

double power(double x, const rigor::Rational& exponent) {
  const double y = exponent.to_double();
  if (y == 2) return x * x;
  if (y == 0.5) return x >= 0 ? std::sqrt(x) : nan;
  if (x == 0 && y < 0) return nan;
  if (x < 0 && !exponent.is_whole()) return nan;
  return std::pow(x, y);
}

}  // namespace attest::language
