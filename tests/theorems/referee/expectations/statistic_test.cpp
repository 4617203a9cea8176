// Means over sums, extremes and norms of random numbers: enclosed, and narrow.
#include "theorems/referee/expectations/statistic.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "theorems/language/read.hpp"

namespace attest::referee {
namespace {

using rigor::Ball;

/// E[integrand] or P[event] for numbers of these laws; not finite where no statistic with a known law carries it.
Ball mean_of(const std::string& random, const std::string& mean, std::int64_t cells = 4000) {
  const std::string text = "random " + random + ": " + mean + " <= 1";
  const language::Program program = language::compile(language::read_statement(text), {});
  const std::vector<double> raw(program.dimension(), 0.0);
  for (const Statistic& statistic : statistics_of(program, 0))
    if (const auto found = mean_by_statistic(statistic, raw, 0, cells)) return *found;
  return Ball(1) / Ball(0);
}

/// Four thousand cells of kinked integrands leave about 1/4000^2 of their size open.
constexpr double open = 1e-6;

void expect_mean(const std::string& random, const std::string& mean, const Ball& exact) {
  const Ball found = mean_of(random, mean);
  EXPECT_TRUE(found.is_finite()) << random << ": " << mean;
  EXPECT_TRUE(rigor::overlaps(found, exact)) << random << ": " << mean << " " << found.to_string();
  EXPECT_LE(found.radius(), open) << random << ": " << mean;
}

Ball upper_normal(const Ball& z) { return (Ball(1) - rigor::erf(z / rigor::sqrt(Ball(2)))) / Ball(2); }

TEST(Statistic, SumsHaveTheLawsOfSums) {
  expect_mean("g ~ normal(0, 1)^4", "P[sum(g) > 2]", upper_normal(Ball(1)));
  expect_mean("x, y ~ normal(1, 2)", "P[x - 3*y > 0]", upper_normal(Ball(2) / rigor::sqrt(Ball(40))));
  expect_mean("u ~ uniform(0, 1)^3", "P[sum(u) <= 1]", Ball(1) / Ball(6));
  expect_mean("u ~ uniform(-1, 1)^30", "P[mean(u) > 0]", Ball(0.5));
  expect_mean("u ~ uniform(0, 2)^3", "E[relu(mean(u) - 1)]", Ball(13) / Ball(96));
  expect_mean("u ~ uniform(0, 1)^2", "P[u[1] - u[2] > 0]", Ball(0.5));
  expect_mean("u ~ uniform(0, 1), v ~ uniform(-1, 2)", "P[2*u - v > 1]", Ball(1) / Ball(3));
  expect_mean("u ~ uniform(0, 1)^3", "P[u[1] + 2*u[2] + 3*u[3] <= 1]", Ball(1) / Ball(36));
  expect_mean("u ~ uniform(0, 1)^2", "E[abs(u[1] - 2*u[2])]", Ball(2) / Ball(3));
  expect_mean("x ~ exponential(1)^3", "P[sum(x) > 3]", rigor::exp(Ball(-3)) * Ball(8.5));
  expect_mean("x ~ chi_squared(3)^2", "P[sum(x) > 6]", rigor::exp(Ball(-3)) * Ball(8.5));
  expect_mean("s ~ rademacher()^16", "P[sum(s) = 0]", Ball(12870) / Ball(65536));
  expect_mean("b ~ bernoulli(0.3)^15", "P[sum(b) = 0]", rigor::pow(Ball(7) / Ball(10), 15));
  expect_mean("k ~ poisson(3)", "P[k >= 2]", Ball(1) - Ball(4) * rigor::exp(Ball(-3)));
}

TEST(Statistic, TwoRandomSidesMeetInTheirDifference) {
  expect_mean("u, v ~ uniform(0, 1)", "P[u < v]", Ball(0.5));
  expect_mean("g ~ normal(0, 1)^3", "P[g[1] + 1 <= g[2] - g[3]]", upper_normal(Ball(1) / rigor::sqrt(Ball(3))));
  expect_mean("x ~ uniform(0, 1), y ~ uniform(0, 2)", "P[x >= y]", Ball(0.25));
}

TEST(Statistic, ExtremesAndNormsHaveTheirs) {
  const Ball root_of_pi = rigor::sqrt(Ball::pi());
  expect_mean("g ~ normal(0, 1)^3", "E[max(g)]", Ball(1.5) / root_of_pi);
  expect_mean("g ~ normal(0, 1)^3", "E[min(g)]", Ball(-1.5) / root_of_pi);
  expect_mean("g ~ normal(0, 1)^2", "E[max(abs(g))]", Ball(2) / root_of_pi);
  expect_mean("g ~ normal(0, 1)^2", "E[norm(g, inf)]", Ball(2) / root_of_pi);
  expect_mean("u ~ uniform(0, 1)^5", "P[max(u) <= 0.5]", Ball(1) / Ball(32));
  expect_mean("x ~ exponential(2)^4", "E[min(x)]", Ball(1) / Ball(8));
  expect_mean("g ~ normal(0, 1)^3", "E[norm(g)]", Ball(2) * rigor::sqrt(Ball(2)) / root_of_pi);
  expect_mean("g ~ normal(0, 1)^4", "P[norm(g)^2 > 4]", Ball(3) * rigor::exp(Ball(-2)));
}

/// The cells' radii add up to this times the mean's size, at most 1; a few more are added in rounding.
constexpr double enough = 1.01e-9;

void expect_narrow_mean(const std::string& random, const std::string& mean, const Ball& exact) {
  const Ball found = mean_of(random, mean, 400);
  EXPECT_TRUE(rigor::overlaps(found, exact)) << random << ": " << mean << " " << found.to_string();
  EXPECT_LE(found.radius(), enough) << random << ": " << mean;
}

TEST(Statistic, SmoothIntegrandsAreExpandedInTheCells) {
  const Ball two(2);
  expect_narrow_mean("x ~ chi_squared(1)", "E[sqrt(x)]", rigor::sqrt(two / Ball::pi()));
  expect_narrow_mean("x ~ chi_squared(2)", "E[sqrt(x)]", rigor::sqrt(Ball::pi() / two));
  expect_narrow_mean("x ~ chi_squared(1)", "E[exp(-x)]", Ball(1) / rigor::sqrt(Ball(3)));
  expect_narrow_mean("x ~ exponential(2)^4", "E[exp(-2*sum(x))]", Ball(1) / Ball(16));
  expect_narrow_mean("g ~ normal(0, 1)^4", "E[exp(-norm(g)^2/2)]", Ball(1) / Ball(4));
  expect_narrow_mean("g ~ normal(0, 1)^3", "E[cos(sum(g))]", rigor::exp(Ball(-1.5)));
  expect_narrow_mean("g ~ normal(0, 1)^3", "E[max(g)]", Ball(1.5) / rigor::sqrt(Ball::pi()));
  expect_narrow_mean("g ~ normal(0, 1)^2", "E[max(abs(g))^2]", Ball(1) + two / Ball::pi());
  expect_narrow_mean("x ~ exponential(1)^10", "E[max(x)]", Ball(7381) / Ball(2520));
  expect_narrow_mean("u ~ uniform(0, 1)^5", "E[min(u)^2]", Ball(1) / Ball(21));
}

TEST(Statistic, IsFoundOnlyWhereNothingElseCarriesTheNumbers) {
  EXPECT_FALSE(mean_of("g ~ normal(0, 1)^3", "E[max(g)*g[1]]").is_finite());
  EXPECT_FALSE(mean_of("g ~ normal(0, 1)^3", "P[g[1] > g[2] and g[1] > g[3]]").is_finite());
  EXPECT_FALSE(mean_of("u ~ uniform(0, 1), g ~ normal(0, 1)", "P[u + g <= 1]").is_finite());
  EXPECT_FALSE(mean_of("g ~ normal(1, 1)^3", "E[norm(g)]").is_finite()) << "not about 0";
  EXPECT_FALSE(mean_of("k ~ poisson(3)", "E[exp(k)]").is_finite()) << "values far out may count";
}

}  // namespace
}  // namespace attest::referee
