#include "kernels/random/law_tails.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

namespace attest::random {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The unit in which Student's law has variance 1.
double student_unit(double nu) { return std::sqrt(nu / (nu - 2)); }

/// log(sinh(a)/a): near 0 by the quotient's series a^2/3! + a^4/5! + ..., as nothing is left of it otherwise.
double log_sinh_over(double a) {
  if (a > 0.5) return a + std::log(-std::expm1(-2 * a) / (2 * a));
  const double a2 = a * a;
  double series = 0;
  for (int k = 7; k >= 1; --k) series = a2 / (2 * k * (2 * k + 1)) * (1 + series);
  return std::log1p(series);
}

}  // namespace

double upper_tail(const Law& law, double x) {
  switch (law.kind) {
    case LawKind::gaussian:
      return std::erfc(x / std::numbers::sqrt2) / 2;
    case LawKind::rademacher:
      return x < -1 ? 1 : (x < 1 ? 0.5 : 0);
    case LawKind::uniform: {
      constexpr double end = std::numbers::sqrt3;
      return x <= -end ? 1 : (x >= end ? 0 : (end - x) / (2 * end));
    }
    case LawKind::laplace: {
      const double half = std::exp(-std::numbers::sqrt2 * std::fabs(x)) / 2;
      return x < 0 ? 1 - half : half;
    }
    case LawKind::student_t: {
      if (std::isinf(x)) return x < 0 ? 1 : 0;
      const boost::math::students_t student(law.parameter);
      return boost::math::cdf(complement(student, x * student_unit(law.parameter)));
    }
    case LawKind::sparse_three_point: {
      const double size = 1 / std::sqrt(law.parameter);
      return x < -size ? 1 : (x < 0 ? 1 - law.parameter / 2 : (x < size ? law.parameter / 2 : 0));
    }
  }
  throw std::invalid_argument("random::upper_tail: the law's kind is not one of LawKind");
}

double upper_quantile(const Law& law, double share) {
  switch (law.kind) {
    case LawKind::gaussian:
      return std::numbers::sqrt2 * boost::math::erfc_inv(2 * share);
    case LawKind::uniform:
      return std::numbers::sqrt3 * (1 - 2 * share);
    case LawKind::laplace:
      return share < 0.5 ? -std::log(2 * share) / std::numbers::sqrt2 : std::log(2 * (1 - share)) / std::numbers::sqrt2;
    case LawKind::student_t: {
      const boost::math::students_t student(law.parameter);
      return boost::math::quantile(complement(student, share)) / student_unit(law.parameter);
    }
    case LawKind::rademacher:
    case LawKind::sparse_three_point:
      break;
  }
  throw std::invalid_argument(fmt::format("random::upper_quantile: {} has no density", name(law)));
}

double log_moment_generating(const Law& law, double s) {
  switch (law.kind) {
    case LawKind::gaussian:
      return s * s / 2;
    case LawKind::rademacher: {
      const double half = std::sinh(std::fmin(std::fabs(s), 1) / 2);
      if (std::fabs(s) <= 1) return std::log1p(2 * half * half);  // cosh s = 1 + 2 sinh^2(s/2)
      return std::fabs(s) + std::log1p(std::exp(-2 * std::fabs(s))) - std::numbers::ln2;
    }
    case LawKind::uniform:
      return log_sinh_over(std::numbers::sqrt3 * std::fabs(s));
    case LawKind::laplace:
      return s * s < 2 ? -std::log1p(-s * s / 2) : infinity;
    case LawKind::student_t:
      return s == 0 ? 0 : infinity;
    case LawKind::sparse_three_point: {
      const double half = std::sinh(s / std::sqrt(law.parameter) / 2);
      return std::log1p(law.parameter * 2 * half * half);
    }
  }
  throw std::invalid_argument("random::log_moment_generating: the law's kind is not one of LawKind");
}

}  // namespace attest::random
