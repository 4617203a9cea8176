#include "theorems/language/draws.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "theorems/language/program/instruction.hpp"

namespace attest::language {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Whole numbers for the Poisson law: the smallest k with P[X <= k] >= u.
using WholeUpwards =
    boost::math::policies::policy<boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;

double laplace(double mean, double scale, double u) {
  return u < 0.5 ? mean + scale * std::log(2 * u) : mean - scale * std::log(2 * (1 - u));
}

}  // namespace

double law_quantile(std::string_view law, std::span<const double> p, double u) {
  for (const double x : p)
    if (!std::isfinite(x)) return nan;
  const auto scaled = [&](double standard) { return p[1] >= 0 ? p[0] + p[1] * standard : nan; };
  if (law == "normal") return scaled(random::normal_quantile(u));
  if (law == "lognormal") return std::exp(scaled(random::normal_quantile(u)));
  if (law == "uniform") return p[0] <= p[1] ? p[0] + (p[1] - p[0]) * u : nan;
  if (law == "rademacher") return u < 0.5 ? -1 : 1;
  if (law == "bernoulli") return p[0] >= 0 && p[0] <= 1 ? (u > 1 - p[0] ? 1 : 0) : nan;
  if (law == "exponential") return p[0] > 0 ? -std::log1p(-u) / p[0] : nan;
  if (law == "laplace") return p[1] >= 0 ? laplace(p[0], p[1], u) : nan;
  if (law == "cauchy") return scaled(std::tan(std::numbers::pi * (u - 0.5)));
  if (!(p[0] > 0)) return nan;
  if (law == "student") return quantile(boost::math::students_t(p[0]), u);
  if (law == "chi_squared") return quantile(boost::math::chi_squared(p[0]), u);
  if (law == "poisson") return quantile(boost::math::poisson_distribution<double, WholeUpwards>(p[0]), u);
  return nan;
}

void draw_random(Evaluator& at, random::Stream& stream, std::span<double> raw, std::span<const double> expected) {
  const Program& program = at.program();
  bool evaluated = false;
  std::vector<double> parameters;
  for (const RawInput& input : program.inputs()) {
    if (!input.random) continue;
    bool varies = false;
    for (const std::size_t reg : input.law_arguments) varies = varies || program.instructions[reg].varies;
    if (varies || !evaluated) at.run(raw, expected);
    evaluated = true;
    parameters.clear();
    for (const std::size_t reg : input.law_arguments) parameters.push_back(at.value(reg)[0]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
      raw[input.offset + k] = law_quantile(input.law.name, parameters, stream.uniform());
  }
  at.run(raw, expected);
}

}  // namespace attest::language
