// Margins in doubles, certain truth in balls and over boxes, rounding bounds.
#include "theorems/language/evaluation/decide.hpp"

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"
#include "tests/theorems/language/points.hpp"

namespace attest::language {
namespace {

using rigor::Ball;

double margin_of(const std::string& text, const std::vector<double>& raw, bool relative = false) {
  const Program program = compile(read_statement(text), {});
  Evaluator at(program);
  at.run(raw);
  return margin(at, program.claim(), relative);
}

Truth truth_of(const std::string& text, const std::vector<Ball>& raw) {
  const Program program = compile(read_statement(text), {});
  BallEvaluator at(program);
  at.run(raw);
  return decide(at, program.claim());
}

TEST(Margin, IsNegativeWhereTheFormulaFails) {
  EXPECT_EQ(margin_of("forall x in R: x <= 3", {1}), 2);
  EXPECT_EQ(margin_of("forall x in R: x >= 3", {1}), -2);
  EXPECT_EQ(margin_of("forall x in R: x = 3", {1}), -2);
  EXPECT_EQ(margin_of("forall x in R: x = 3", {3}), 0);
  EXPECT_EQ(margin_of("forall x in R: not (x <= 3)", {1}), -2);
  EXPECT_EQ(margin_of("forall x in R: 0 <= x <= 3", {1}), 1);
  EXPECT_EQ(margin_of("forall x in R: x <= 0 or x <= 3", {1}), 2);
  EXPECT_EQ(margin_of("forall x in R: x <= 0 => x <= -3", {1}), 1);
  EXPECT_EQ(margin_of("forall x in R^3: x <= 3", {1, 7, 2}), -4);
  EXPECT_TRUE(std::isnan(margin_of("forall x in R: log(x) <= 3", {-1})));
}

TEST(Margin, UndefinedConclusionsOfFailedAssumptionsDoNotMatter) {
  EXPECT_GT(margin_of("forall x in R: x > 0 => log(x) <= x", {-1}), 0);
}

TEST(Margin, RelativeToTheTerms) {
  // 1000000 - 1000000 <= -1 misses by one in a million.
  EXPECT_DOUBLE_EQ(margin_of("forall x in R: x - 1000000 <= -1", {1000000}, true), -1e-6);
  EXPECT_DOUBLE_EQ(margin_of("forall x in R^2: sum(x) <= -1", {1000000, -1000000}, true), -1e-6);
}

TEST(Margin, OfAProductIsThatOfItsTightestFactor) {
  const Program program = compile(read_statement("forall x, y in R: abs(-(x - 4)^2*(y - 8))/(1 + y) > 0"), {});
  Evaluator at(program);
  at.run(std::vector<double>{3, 2});
  EXPECT_EQ(margin(at, program.claim(), true), 1);
  // |x - 4|/4 = 1/4 is less than |y - 8|/8 = 3/4.
  EXPECT_EQ(tightest_factor(at, program.claim().lhs, 0).slack, 0.25);
  at.run(std::vector<double>{-3, 6});
  EXPECT_EQ(tightest_factor(at, program.claim().lhs, 0).slack, 0.25);
}

TEST(Margin, HasItsGradient) {
  const Program program = compile(read_statement("forall x, y in R: x^2 <= 3*y and x*y <= 100"), {});
  Evaluator at(program);
  at.run(std::vector<double>{2, 1});
  std::vector<double> gradient(2);
  EXPECT_EQ(margin_gradient(at, program.claim(), false, gradient), -1);
  EXPECT_EQ(gradient, (std::vector<double>{-4, 3}));
}

TEST(Decide, OnlyWhatIsCertain) {
  const Ball wide = Ball::hull(Ball(1), Ball(2));
  EXPECT_EQ(truth_of("forall x in R: x <= 2", {wide}), Truth::holds);
  EXPECT_EQ(truth_of("forall x in R: x < 1", {wide}), Truth::fails);
  EXPECT_EQ(truth_of("forall x in R: x <= 1.5", {wide}), Truth::open);
  EXPECT_EQ(truth_of("forall x in R: log(x - 1.5) <= 100", {wide}), Truth::open);
  EXPECT_EQ(truth_of("forall x in R: x < 0 => log(x) <= 1", {wide}), Truth::holds);
  EXPECT_EQ(truth_of("forall x in R: x <= 1.5 or x >= 0", {wide}), Truth::holds);
  EXPECT_EQ(truth_of("forall x in R: not (x <= 3)", {wide}), Truth::fails);
  EXPECT_EQ(truth_of("forall x in R: exp(x) = 3", {Ball(2)}), Truth::fails);
  EXPECT_EQ(truth_of("forall x in R: sqrt(2)^2 = x", {Ball(2)}), Truth::open);
}

TEST(RoundingBound, CoversTheDoublesErrorAndIsSmall) {
  const auto e = expression_over("x in R^50", "sum(x) + logsumexp(x)");
  const auto raw = moderate_point(e.program, 3);
  const double bound = rounding_bound(e.program, e.result, raw)[0];
  Evaluator at(e.program);
  at.run(raw);
  const rigor::PrecisionScope bits(300);
  BallEvaluator balls(e.program);
  balls.run(std::vector<Ball>(raw.begin(), raw.end()));
  EXPECT_LE(rigor::abs(balls.value(e.result)[0] - Ball(at.value(e.result)[0])).upper(), bound);
  constexpr double small = 200 * tests::unit_roundoff * 50;  // some roundings per entry, of sums below 50
  EXPECT_LE(bound, small);
}

}  // namespace
}  // namespace attest::language
