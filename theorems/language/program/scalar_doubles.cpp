#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include "theorems/language/program/scalar.hpp"
#include "theorems/language/program/scalar_slopes.hpp"

namespace attest::language {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Outside of a domain the answer is NaN, never an exception.
using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}
double digamma(double x) {
  if (!std::isfinite(x) || (x <= 0 && x == std::floor(x))) return nan;
  return boost::math::digamma(x, Quiet());
}
double trigamma(double x) {
  if (!std::isfinite(x) || (x <= 0 && x == std::floor(x))) return nan;
  return boost::math::trigamma(x, Quiet());
}
double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double normal_pdf(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
double gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

}  // namespace

namespace slopes_of {
// What the derivatives ask for beyond <cmath>.
double special_digamma(double x) { return digamma(x); }
double special_trigamma(double x) { return trigamma(x); }
double special_sigmoid(double x) { return sigmoid(x); }
double special_normal_cdf(double x) { return normal_cdf(x); }
double special_normal_pdf(double x) { return normal_pdf(x); }
double special_pi(double) { return std::numbers::pi; }
double exact(std::int64_t p, std::int64_t q, double) { return static_cast<double>(p) / static_cast<double>(q); }
double undefined(double) { return nan; }
double step(double x, double below, double above) { return x > 0 ? above : below; }
double flat_between_whole_numbers(double x) { return std::isfinite(x) ? 0 : nan; }
double flat_off_zero(double x) { return std::isnan(x) ? nan : 0; }
Slopes<double> which(double x, double y, bool larger) {
  const double first = (larger ? x >= y : x <= y) ? 1 : 0;
  return {first, 1 - first};
}
bool is_zero(double x) { return x == 0; }
}  // namespace slopes_of

double value(Unary f, double x) {
  using enum Unary;
  switch (f) {
    case negate:
      return -x;
    case exp:
      return std::exp(x);
    case log:
      return x > 0 ? std::log(x) : nan;
    case log2:
      return x > 0 ? std::log2(x) : nan;
    case log10:
      return x > 0 ? std::log10(x) : nan;
    case log1p:
      return x > -1 ? std::log1p(x) : nan;
    case expm1:
      return std::expm1(x);
    case sqrt:
      return x >= 0 ? std::sqrt(x) : nan;
    case cbrt:
      return std::cbrt(x);
    case abs:
      return std::fabs(x);
    case sign:
      return std::isnan(x) ? nan : static_cast<double>((x > 0) - (x < 0));
    case floor:
      return std::floor(x);
    case ceil:
      return std::ceil(x);
    case sin:
      return std::isfinite(x) ? std::sin(x) : nan;
    case cos:
      return std::isfinite(x) ? std::cos(x) : nan;
    case tan:
      return std::isfinite(x) ? std::tan(x) : nan;
    case asin:
      return std::fabs(x) <= 1 ? std::asin(x) : nan;
    case acos:
      return std::fabs(x) <= 1 ? std::acos(x) : nan;
    case atan:
      return std::atan(x);
    case sinh:
      return std::sinh(x);
    case cosh:
      return std::cosh(x);
    case tanh:
      return std::tanh(x);
    case asinh:
      return std::asinh(x);
    case acosh:
      return x >= 1 ? std::acosh(x) : nan;
    case atanh:
      return std::fabs(x) < 1 ? std::atanh(x) : nan;
    case erf:
      return std::erf(x);
    case erfc:
      return std::erfc(x);
    case erfinv:
      return std::fabs(x) < 1 ? boost::math::erf_inv(x, Quiet()) : nan;
    case gamma:
      return x <= 0 && x == std::floor(x) ? nan : std::tgamma(x);
    case lgamma:
      return x > 0 ? std::lgamma(x) : nan;
    case digamma:
      return language::digamma(x);
    case sigmoid:
      return language::sigmoid(x);
    case softplus:
      return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
    case relu:
      return std::isnan(x) ? nan : std::max(x, 0.0);
    case gelu:
      return x * language::normal_cdf(x);
    case gelu_tanh:
      return language::gelu_tanh(x);
    case silu:
      return x * language::sigmoid(x);
    case elu:
      return x > 0 ? x : std::expm1(x);
    case normal_cdf:
      return language::normal_cdf(x);
    case normal_pdf:
      return language::normal_pdf(x);
    case normal_quantile:
      return x > 0 && x < 1 ? -std::numbers::sqrt2 * boost::math::erfc_inv(2 * x, Quiet()) : nan;
    case entropy_term:
      return x > 0 ? -x * std::log(x) : (x == 0 ? 0 : nan);
  }
  return nan;
}

double value(Binary f, double x, double y) {
  using enum Binary;
  switch (f) {
    case add:
      return x + y;
    case subtract:
      return x - y;
    case multiply:
      return x * y;
    case divide:
      return y == 0 ? nan : x / y;
    case power:
      return x == 0 && y < 0 ? nan : std::pow(x, y);
    case min:
      return std::isnan(x) || std::isnan(y) ? nan : std::min(x, y);
    case max:
      return std::isnan(x) || std::isnan(y) ? nan : std::max(x, y);
    case beta:
      return x > 0 && y > 0 ? std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y)) : nan;
    case divergence_term:
      if (x == 0 && y >= 0) return 0;
      return x > 0 && y > 0 ? x * (std::log(x) - std::log(y)) : nan;
  }
  return nan;
}

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

std::optional<Unary> unary_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Unary>, 40> names = {{
      {"exp", Unary::exp},
      {"log", Unary::log},
      {"log2", Unary::log2},
      {"log10", Unary::log10},
      {"log1p", Unary::log1p},
      {"expm1", Unary::expm1},
      {"sqrt", Unary::sqrt},
      {"cbrt", Unary::cbrt},
      {"abs", Unary::abs},
      {"sign", Unary::sign},
      {"floor", Unary::floor},
      {"ceil", Unary::ceil},
      {"sin", Unary::sin},
      {"cos", Unary::cos},
      {"tan", Unary::tan},
      {"asin", Unary::asin},
      {"acos", Unary::acos},
      {"atan", Unary::atan},
      {"sinh", Unary::sinh},
      {"cosh", Unary::cosh},
      {"tanh", Unary::tanh},
      {"asinh", Unary::asinh},
      {"acosh", Unary::acosh},
      {"atanh", Unary::atanh},
      {"erf", Unary::erf},
      {"erfc", Unary::erfc},
      {"erfinv", Unary::erfinv},
      {"gamma", Unary::gamma},
      {"lgamma", Unary::lgamma},
      {"digamma", Unary::digamma},
      {"sigmoid", Unary::sigmoid},
      {"softplus", Unary::softplus},
      {"relu", Unary::relu},
      {"gelu", Unary::gelu},
      {"gelu_tanh", Unary::gelu_tanh},
      {"silu", Unary::silu},
      {"elu", Unary::elu},
      {"normal_cdf", Unary::normal_cdf},
      {"normal_pdf", Unary::normal_pdf},
      {"normal_quantile", Unary::normal_quantile},
  }};
  const auto found = std::ranges::find(names, name, &std::pair<std::string_view, Unary>::first);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace attest::language
