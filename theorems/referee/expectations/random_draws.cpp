#include "theorems/referee/expectations/random_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>
#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

#include "theorems/language/evaluation/decide.hpp"

namespace attest::referee {
namespace {

using rigor::Ball;

void require(bool allowed, const LawAt& law) {
  if (!allowed) throw std::invalid_argument(fmt::format("the law {} does not allow these arguments", law.name));
}

double argument(const LawAt& law, std::size_t i) {
  require(i < law.arguments.size() && std::isfinite(law.arguments[i]), law);
  return law.arguments[i];
}

double density(const LawAt& law, double x) {
  const auto a = [&](std::size_t i) { return argument(law, i); };
  if (law.name == "normal") {
    const double z = (x - a(0)) / a(1);
    return std::exp(-z * z / 2) / (a(1) * std::sqrt(2 * std::numbers::pi));
  }
  if (law.name == "uniform") return 1 / (a(1) - a(0));
  if (law.name == "exponential") return a(0) * std::exp(-a(0) * x);
  if (law.name == "laplace") return std::exp(-std::abs(x - a(0)) / a(1)) / (2 * a(1));
  if (law.name == "lognormal") {
    const double z = (std::log(x) - a(0)) / a(1);
    return std::exp(-z * z / 2) / (x * a(1) * std::sqrt(2 * std::numbers::pi));
  }
  if (law.name == "cauchy") {
    const double z = (x - a(0)) / a(1);
    return 1 / (std::numbers::pi * a(1) * (1 + z * z));
  }
  if (law.name == "student") return boost::math::pdf(boost::math::students_t(a(0)), x);
  if (law.name == "chi_squared") return x > 0 ? boost::math::pdf(boost::math::chi_squared(a(0)), x) : 0;
  throw std::invalid_argument(fmt::format("the law {} has no density here", law.name));
}

}  // namespace

LawAt law_at(const language::RawInput& input, const language::Evaluator& at) {
  LawAt law{input.law.name, {}};
  for (const std::size_t reg : input.law_arguments) law.arguments.push_back(at.value(reg)[0]);
  return law;
}

double integrand(const language::Evaluator& at, const language::Expectation& expectation) {
  if (!expectation.probability) return at.value(expectation.integrand)[0];
  const language::ActiveRelation active = language::active_relation(at, expectation.event, false);
  if (std::isnan(active.margin)) return active.margin;
  const bool strict = active.relation != nullptr && is_strict(active.relation->relation);
  return active.margin > 0 || (active.margin == 0 && !strict) ? 1 : 0;
}

double draw(const LawAt& law, random::Stream& stream) {
  const auto a = [&](std::size_t i) { return argument(law, i); };
  if (law.name == "normal") return a(0) + a(1) * stream.normal();
  if (law.name == "uniform") return stream.uniform(a(0), a(1));
  if (law.name == "rademacher") return stream.integer(2) == 0 ? -1 : 1;
  if (law.name == "bernoulli") return stream.uniform() < a(0) ? 1 : 0;
  if (law.name == "exponential") return -std::log(stream.uniform()) / a(0);
  if (law.name == "laplace") {
    const double u = stream.uniform(-1, 1);
    return a(0) - a(1) * (u < 0 ? -1 : 1) * std::log1p(-std::abs(u));
  }
  if (law.name == "lognormal") return std::exp(a(0) + a(1) * stream.normal());
  if (law.name == "cauchy") return a(0) + a(1) * std::tan(std::numbers::pi * (stream.uniform() - 0.5));
  if (law.name == "student") {
    // Bailey, "Polar generation of random variates with the t-distribution", 1994: exact, and without a quantile.
    const double radius = std::sqrt(a(0) * std::expm1(-2 * std::log(stream.uniform()) / a(0)));
    return radius * std::cos(2 * std::numbers::pi * stream.uniform());
  }
  if (law.name == "chi_squared") return boost::math::quantile(boost::math::chi_squared(a(0)), stream.uniform());
  if (law.name == "poisson") {
    require(a(0) >= 0 && a(0) < 700, law);
    const double u = stream.uniform();
    double mass = std::exp(-a(0)), total = mass, k = 0;
    while (total < u && k < 10000) total += mass *= a(0) / ++k;
    return k;
  }
  throw std::invalid_argument(fmt::format("no draws of the law {} here", law.name));
}

std::optional<std::vector<Atom>> atoms(const LawAt& law) {
  if (law.name == "rademacher") return std::vector<Atom>{{-1, 0.5}, {1, 0.5}};
  if (law.name == "bernoulli") return std::vector<Atom>{{0, 1 - argument(law, 0)}, {1, argument(law, 0)}};
  return std::nullopt;
}

double mass_between(const LawAt& law, double a, double b) {
  const auto arg = [&](std::size_t i) { return argument(law, i); };
  // From the median outwards by tails, so that small masses do not cancel.
  const auto by_tails = [](double from, double to, const auto& tail) {
    if (from >= 0) return tail(from) - tail(to);
    return to <= 0 ? tail(-to) - tail(-from) : 1 - tail(to) - tail(-from);
  };
  const auto normal_tail = [](double z) { return std::erfc(z / std::numbers::sqrt2) / 2; };
  if (law.name == "normal") return by_tails((a - arg(0)) / arg(1), (b - arg(0)) / arg(1), normal_tail);
  if (law.name == "lognormal") {
    const auto z = [&](double x) { return (std::log(std::max(x, 0.0)) - arg(0)) / arg(1); };
    return by_tails(z(a), z(b), normal_tail);
  }
  if (law.name == "laplace")
    return by_tails((a - arg(0)) / arg(1), (b - arg(0)) / arg(1), [](double z) { return std::exp(-z) / 2; });
  if (law.name == "cauchy")
    return by_tails((a - arg(0)) / arg(1), (b - arg(0)) / arg(1),
                    [](double z) { return std::atan2(1, z) / std::numbers::pi; });
  if (law.name == "exponential") return std::exp(-arg(0) * std::max(a, 0.0)) - std::exp(-arg(0) * std::max(b, 0.0));
  if (law.name == "uniform") {
    const double low = arg(0), high = arg(1);
    return (std::clamp(b, low, high) - std::clamp(a, low, high)) / (high - low);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool has_standard(const std::string& name) {
  return name == "normal" || name == "uniform" || name == "exponential" || name == "laplace" || name == "lognormal";
}

Support standard_support(const std::string& name) {
  if (name == "uniform") return {0, 1};
  // exp(-2^20) and exp(-2^21) are the masses beyond.
  if (name == "exponential") return {0, 0x1p20};
  if (name == "laplace") return {-0x1p20, 0x1p20};
  return {-2048, 2048};
}

namespace {

Ball tail_safe_normal_cdf_difference(const Ball& a, const Ball& b) {
  // erfc keeps relative accuracy far out, where differences of erf vanish.
  const Ball root = rigor::sqrt(Ball(2));
  const auto erfc = [](const Ball& x) {
    Ball out;
    arb_hypgeom_erfc(out.raw(), x.raw(), rigor::working_precision());
    return out;
  };
  if (a.is_nonnegative()) return (erfc(a / root) - erfc(b / root)) / Ball(2);
  if (b.is_nonpositive()) return (erfc(-b / root) - erfc(-a / root)) / Ball(2);
  return (rigor::erf(b / root) - rigor::erf(a / root)) / Ball(2);
}

Ball normal_density(const Ball& z) {
  return rigor::exp(-rigor::square(z) / Ball(2)) / rigor::sqrt(Ball(2) * Ball::pi());
}

/// Mass and moment of exp(-z) on z >= 0 between a and b.
Ball exponential_mass(const Ball& a, const Ball& b) { return rigor::exp(-a) - rigor::exp(-b); }
Ball exponential_moment(const Ball& a, const Ball& b) {
  return (a + Ball(1)) * rigor::exp(-a) - (b + Ball(1)) * rigor::exp(-b);
}

}  // namespace

Ball standard_mass(const std::string& name, const Ball& a, const Ball& b) {
  if (name == "uniform") return b - a;
  if (name == "exponential") return exponential_mass(a, b);
  if (name == "laplace") return (a.is_nonnegative() ? exponential_mass(a, b) : exponential_mass(-b, -a)) / Ball(2);
  return tail_safe_normal_cdf_difference(a, b);
}

Ball standard_moment(const std::string& name, const Ball& a, const Ball& b) {
  if (name == "uniform") return (rigor::square(b) - rigor::square(a)) / Ball(2);
  if (name == "exponential") return exponential_moment(a, b);
  if (name == "laplace") return (a.is_nonnegative() ? exponential_moment(a, b) : -exponential_moment(-b, -a)) / Ball(2);
  return normal_density(a) - normal_density(b);
}

Ball from_standard(const std::string& name, std::span<const Ball> arguments, const Ball& z) {
  if (name == "uniform") return arguments[0] + (arguments[1] - arguments[0]) * z;
  if (name == "exponential") return z / arguments[0];
  const Ball linear = arguments[0] + arguments[1] * z;
  return name == "lognormal" ? rigor::exp(linear) : linear;
}

Ball slope_of_standard(const std::string& name, std::span<const Ball> arguments, const Ball& z) {
  if (name == "uniform") return arguments[1] - arguments[0];
  if (name == "exponential") return Ball(1) / arguments[0];
  return name == "lognormal" ? arguments[1] * from_standard(name, arguments, z) : arguments[1];
}

std::vector<Atom> quadrature(const LawAt& law, int count) {
  std::vector<Atom> nodes;
  if (const auto few = atoms(law)) return *few;
  if (law.name == "poisson") {
    double mass = std::exp(-argument(law, 0));
    for (int k = 0; k < 2000; ++k) {
      nodes.push_back({static_cast<double>(k), mass});
      mass *= argument(law, 0) / (k + 1);
      if (k > argument(law, 0) && mass < 1e-20) break;
    }
    return nodes;
  }
  const double half_pi = std::numbers::pi / 2;
  const bool positive = law.name == "exponential" || law.name == "lognormal" || law.name == "chi_squared";
  const double centre = positive ? 0 : law.name == "uniform" || law.name == "student" ? 0 : argument(law, 0);
  const double scale = law.name == "exponential"   ? 1 / argument(law, 0)
                       : law.name == "lognormal"   ? std::exp(argument(law, 0))
                       : law.name == "chi_squared" ? argument(law, 0)
                       : law.name == "student"     ? 1
                       : law.name == "uniform"     ? 1
                                                   : argument(law, 1);
  double total = 0;
  for (int k = 0; k < count; ++k) {
    // Symmetric nodes without one at the centre, where densities and integrands like to have their kink.
    const double t = -3.2 + 6.4 * (k + 0.5) / count;
    const double s = half_pi * std::sinh(t), ds = half_pi * std::cosh(t);
    double x = 0, dx = 0;
    if (law.name == "uniform") {
      const double width = argument(law, 1) - argument(law, 0);
      x = argument(law, 0) + width / (1 + std::exp(-2 * s));
      dx = width * ds / (2 * std::cosh(s) * std::cosh(s));
    } else if (positive) {
      x = scale * std::exp(s);
      dx = x * ds;
    } else {
      x = centre + scale * std::sinh(s);
      dx = scale * std::cosh(s) * ds;
    }
    const double weight = density(law, x) * dx * 6.4 / count;
    if (!(weight > 1e-30) || !std::isfinite(x) || !std::isfinite(weight)) continue;
    nodes.push_back({x, weight});
    total += weight;
  }
  // What the range of t cuts off is left out on both sides of the sum: weights of mean one.
  for (Atom& node : nodes) node.probability /= total;
  return nodes;
}

}  // namespace attest::referee
