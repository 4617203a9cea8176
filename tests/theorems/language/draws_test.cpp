// Quantiles against distribution functions that are known in closed form, and draws that depend on other draws.
#include "theorems/language/draws.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "tests/theorems/language/points.hpp"
#include "theorems/language/laws.hpp"

namespace attest::language {
namespace {

/// Half of all draws lie below the median.
double median(const std::string& law) {
  if (law == "normal" || law == "laplace" || law == "cauchy") return 2;
  if (law == "lognormal") return std::exp(2.0);
  if (law == "uniform") return 3;
  if (law == "exponential") return std::numbers::ln2 / 2;
  if (law == "student" || law == "bernoulli") return 0;
  if (law == "rademacher") return -1;
  if (law == "chi_squared") return 2 * std::numbers::ln2;
  if (law == "poisson") return 2;
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(Laws, HaveTheirMediansAndGrow) {
  for (const LawRule& law : laws()) {
    const std::string name(law.name);
    // (2, 4) for two parameters, 2 for one; a probability of 1/4.
    std::vector<double> parameters(law.parameters.size());
    for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k] = k == 0 ? 2 : 4;
    if (name == "bernoulli") parameters[0] = 0.25;
    EXPECT_NEAR(law_quantile(name, parameters, 0.5 - 1e-16), median(name), 1e-12) << name;
    double before = -std::numeric_limits<double>::infinity();
    for (const double u : {0.01, 0.2, 0.4, 0.6, 0.9, 0.999}) {
      const double x = law_quantile(name, parameters, u);
      EXPECT_GE(x, before) << name;
      before = x;
    }
  }
}

TEST(Laws, ParametersOutsideOfTheirRangesGiveNoNumber) {
  EXPECT_TRUE(std::isnan(law_quantile("normal", std::vector<double>{0, -1}, 0.3)));
  EXPECT_TRUE(std::isnan(law_quantile("bernoulli", std::vector<double>{2}, 0.3)));
  EXPECT_TRUE(std::isnan(law_quantile("student", std::vector<double>{0}, 0.3)));
  EXPECT_TRUE(std::isnan(law_quantile("uniform", std::vector<double>{2, 1}, 0.3)));
}

TEST(Draws, MayDependOnEarlierOnesAndOnOtherVariables) {
  const Program program = compile(
      read_statement(
          "forall m in [5, 6]: random a ~ uniform(m, m + 1), b ~ uniform(10*a, 10*a + 1)^3: E[max(b) - a] <= 100"),
      {});
  Evaluator at(program);
  random::Stream stream(1, 2, 3);
  std::vector<double> raw(program.dimension());
  raw[0] = 5.5;
  draw_random(at, stream, raw);
  EXPECT_GE(raw[1], 5.5);
  EXPECT_LE(raw[1], 6.5);
  for (std::size_t k = 2; k < 5; ++k) {
    EXPECT_GE(raw[k], 10 * raw[1]);
    EXPECT_LE(raw[k], 10 * raw[1] + 1);
  }
  EXPECT_EQ(at.value(program.expectations()[0].integrand)[0], std::max({raw[2], raw[3], raw[4]}) - raw[1]);
}

}  // namespace
}  // namespace attest::language
