// Means over one number: enclosed, and narrow where the integrand is smooth.
#include "theorems/referee/expectations/cells.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "theorems/language/read.hpp"

namespace attest::referee {
namespace {

using rigor::Ball;

constexpr double enough = 1e-9;

/// E[integrand] for one x of this law, of at most so many cells.
Ball mean_of(const std::string& integrand, const std::string& law, std::int64_t most) {
  const std::string text = "random x ~ " + law + ": E[" + integrand + "] <= 1";
  const language::Program program = language::compile(language::read_statement(text), {});
  const std::vector<double> raw(program.dimension(), 0.0);
  return Cells(program, raw, 0).mean(most, enough);
}

/// The cells' radii add up to `enough` times the mean of |f|, at most 1; a few more are added in rounding.
void expect_narrow(const Ball& mean, const Ball& exact, const std::string& what) {
  EXPECT_TRUE(rigor::overlaps(mean, exact)) << what << " " << mean.to_string();
  EXPECT_LE(mean.radius(), 1.01 * enough) << what << " " << mean.to_string();
}

TEST(Cells, EncloseMeansOfSmoothFunctionsNarrowlyByFewCells) {
  const Ball one(1), two(2);
  expect_narrow(mean_of("cos(3*x)", "normal(0, 1)", 400), rigor::exp(Ball(-4.5)), "cos(3x)");
  expect_narrow(mean_of("exp(x)", "normal(0, 1)", 400), rigor::exp(one / two), "exp(x)");
  expect_narrow(mean_of("sin(x)", "uniform(0, 1)", 400), one - rigor::cos(one), "sin(x)");
  expect_narrow(mean_of("exp(-x)", "exponential(1)", 400), one / two, "exp(-x)");
  expect_narrow(mean_of("cos(x)", "laplace(0, 1)", 400), one / two, "Laplace");
  expect_narrow(mean_of("normal_cdf(x)", "normal(0, 2)", 400), one / two, "normal_cdf(x)");
  expect_narrow(mean_of("erf(x)", "normal(1, 1)", 400), rigor::erf(one / rigor::sqrt(Ball(3))), "erf(x)");
}

TEST(Cells, EncloseMeansOfSoftmaxAndItsSquaredLengthNarrowly) {
  const Ball half = Ball(1) / Ball(2);
  expect_narrow(mean_of("softmax([x, 0])[1]", "normal(0, 3)", 400), half, "first of two shares");
  expect_narrow(mean_of("norm([cos(x), sin(x)])^2", "normal(0, 1)", 400), Ball(1), "squared length");
  expect_narrow(mean_of("dot([exp(x), 1], [exp(x), 1])", "uniform(0, 1)", 400),
                (rigor::exp(Ball(2)) - Ball(1)) / Ball(2) + Ball(1), "inner product");
}

TEST(Cells, SquaredDistancesOfSoftmaxesAreNarrowWhereTheyVanishAndFarOut) {
  // Both softmaxes agree at x = 0, where their distance has a kink and its square has none.
  const Ball mean = mean_of("norm(softmax([x, -x, -x, -x]) - softmax([-x, x, -x, -x]))^2", "normal(0, 1)", 400);
  EXPECT_TRUE(mean.is_finite());
  EXPECT_LE(mean.radius(), 1.01 * enough * mean.mid());
}

TEST(Cells, EncloseMeansOfFunctionsWithKinks) {
  const Ball mean = mean_of("abs(x)", "normal(0, 1)", 2000);
  EXPECT_TRUE(rigor::overlaps(mean, rigor::sqrt(Ball(2) / Ball::pi())));
}

}  // namespace
}  // namespace attest::referee
