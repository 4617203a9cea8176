// Ranges of integrands whose random numbers have none.
#include "theorems/referee/expectations/derived_range.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "theorems/language/read.hpp"

namespace attest::referee {
namespace {

using statistics::Range;

std::optional<Range> range_of(const std::string& random, const std::string& integrand) {
  const language::Program program =
      language::compile(language::read_statement("random " + random + ": E[" + integrand + "] <= 1"), {});
  const std::vector<double> raw(program.dimension(), 0.0);
  language::Evaluator at(program);
  at.run(raw);
  const std::vector<RandomNumber> numbers = random_numbers(program);
  std::vector<LawAt> laws;
  for (const RandomNumber& number : numbers) laws.push_back(law_at(*number.input, at));
  return derived_range(program, raw, program.expectations()[0], numbers, laws);
}

void expect_range(const std::string& random, const std::string& integrand, double lower, double upper) {
  constexpr double widened = 1e-11;
  const auto found = range_of(random, integrand);
  ASSERT_TRUE(found) << integrand;
  EXPECT_LE(found->lower, lower) << integrand;
  EXPECT_GE(found->lower, lower - widened) << integrand;
  EXPECT_GE(found->upper, upper) << integrand;
  EXPECT_LE(found->upper, upper + widened) << integrand;
}

TEST(DerivedRange, BoundedFunctionsOfUnboundedNumbersHaveOne) {
  expect_range("z ~ cauchy(0, 1)", "1/(1 + z^2)", 0, 1);
  expect_range("z ~ cauchy(0, 1)", "2*tanh(z) - 1", -3, 1);
  expect_range("z ~ student(2)^3", "exp(-norm(z)^2)", 0, 1);
  expect_range("z ~ cauchy(0, 1)^3", "max(softmax(z))", 0, 1);
  expect_range("z ~ normal(0, 1)", "sin(z)*cos(z)", -1, 1);
  expect_range("z ~ lognormal(0, 1)", "1/sqrt(4 + z)", 0, 0.5);
  expect_range("x ~ exponential(1)^2", "sigmoid(-sum(x))", 0, 0.5);
  expect_range("z ~ cauchy(0, 1)", "min(abs(z), 5)", 0, 5);
  expect_range("z ~ cauchy(0, 1)", "erf(z) + normal_cdf(z)", -1, 2);
}

TEST(DerivedRange, OthersHaveNone) {
  for (const char* integrand : {"z", "z^2", "abs(z)", "exp(z)", "1/z", "log(1 + z^2)", "relu(z)", "z*tanh(z)"})
    EXPECT_FALSE(range_of("z ~ cauchy(0, 1)", integrand)) << integrand;
}

TEST(DerivedRange, BoundedLawsBoundTheirFunctions) {
  expect_range("u ~ uniform(1, 2)", "u^2", 1, 4);
  expect_range("s ~ rademacher()^2", "s[1] + s[2]", -2, 2);
}

}  // namespace
}  // namespace attest::referee
