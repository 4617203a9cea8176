// Proofs by factors and signs of coefficients: what they reach, and that nothing false passes.
#include "theorems/referee/proof/sign_proof.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/points/sizes.hpp"
#include "theorems/referee/proof/orthant.hpp"

namespace attest::referee {
namespace {

bool proven(const std::string& text) {
  const language::Statement statement = language::read_statement(text);
  const Sizes sizes = choose_sizes(statement, {}, 20, 1e9);
  return std::ranges::all_of(sizes.tried, [&](const language::Choices& choices) {
    return prove_by_signs(language::compile(statement, choices), {});
  });
}

TEST(SignProof, ReachesWhereBothSidesTouch) {
  for (const char* text : {
           "forall x, y in R: x*y <= (x^2 + y^2)/2",
           "forall x in [0, 1]: x^3*(1 - x) <= 27/256",
           "forall x in [0, inf): x^3 >= x^2 - 4/27",
           "forall x in [-1, 1]: 4*x^3 - 3*x <= 1",
           "forall a, b, c in [0, 10]: a^2*b + b^2*c + c^2*a <= a^3 + b^3 + c^3",
           "forall a, b, c in (0, inf): a/(b + c) + b/(c + a) + c/(a + b) >= 3/2",
           "forall p in simplex(3): sum(p .* p) >= 1/3",
       })
    EXPECT_TRUE(proven(text)) << text;
}

TEST(SignProof, ReachesUnboundedDomainsRootsAndAbsoluteValues) {
  for (const char* text : {
           "forall x in R: x/(1 + x^2) <= 1/2",
           "forall x in (0, inf): x + 1/x > 1.999",
           "forall x, y in R: abs(x + y) <= abs(x) + abs(y)",
           "forall x, y in R^2: abs(dot(x, y)) <= norm(x)*norm(y)",
           "forall x, y in R^2: norm(x + y) <= norm(x) + norm(y)",
           "forall x in R^2: norm(x, 1) <= sqrt(2)*norm(x)",
           "forall x in [0, inf): sqrt(x) <= (1 + x)/2",
           "forall x, y in R: max(x, y) >= (x + y)/2 and relu(x) >= x",
       })
    EXPECT_TRUE(proven(text)) << text;
}

TEST(SignProof, PutsConditionsThatAreLinearInThePlaceOfVariables) {
  EXPECT_TRUE(proven("forall x, y in [0, 1] where x <= y: x^2 <= y^2"));
  EXPECT_FALSE(proven("forall x, y in [-1, 1] where x <= y: x^2 <= y^2"));
}

TEST(SignProof, TellsStrictFromNotStrictAtEveryEnd) {
  EXPECT_TRUE(proven("forall x in [0, 1): x^2 < 1"));
  EXPECT_FALSE(proven("forall x in [0, 1]: x^2 < 1"));
  EXPECT_TRUE(proven("forall x in (0, 1]: x^2 > 0"));
  EXPECT_FALSE(proven("forall x in [0, 1]: x^2 > 0"));
  EXPECT_TRUE(proven("forall x, y in [0, 1): x*y < 1"));
  EXPECT_FALSE(proven("forall x in [0, 1), y in [0, 1]: x*y + (1 - x)*y < 1"));
  EXPECT_FALSE(proven("forall x in [1, 3]: (x - 2)^2 > 0"));
  EXPECT_FALSE(proven("forall x in R^2: norm(x, 1) < sqrt(2)*norm(x)"));
}

TEST(SignProof, LetsNothingFalsePass) {
  for (const char* text : {
           "forall x, y in R: abs(x + y) <= 0.9999999*(abs(x) + abs(y))",
           "forall x, y in R^2: norm(x + y) <= 0.9999999999*(norm(x) + norm(y))",
           "forall x in R: x^4 - 2*x^2 + 0.9999999999 >= 0",
           "forall a, b, c in [0, inf): a^2 + b^2 + c^2 >= a*b + b*c + c*a + 1e-12",
           "forall a, b, c in [0, inf): 1.0000000001*(a*b + b*c + c*a) <= a^2 + b^2 + c^2",
           "forall x in (0, inf): x + 1/x >= 2.0000000001",
           "forall x in R: sqrt(x^2) <= x",
           "forall x in R: x^3 >= 0",
           "forall x in R: 1/x >= -1",
           "forall x in [0, inf): x^3 >= x^2 - 0.1481481",
           "forall x in [-1, 1]: abs(x) <= x^2",
           "forall x, y in R: max(x, y) <= x",
           "forall p in simplex(3): sum(p .* p) >= 0.33334",
           "forall x in R: exp(x) >= 1",
           "forall x in R: sin(x) <= 0.5",
       })
    EXPECT_FALSE(proven(text)) << text;
}

TEST(SignProof, AgreesWithValuesOfRandomPolynomials) {
  int shown = 0;
  for (std::uint64_t k = 0; k < 400; ++k) {
    random::Stream stream(1, 2, k);
    DensePolynomial p({2, 3});
    std::vector<rigor::Rational> coefficients;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        coefficients.emplace_back(static_cast<std::int64_t>(stream.integer(13)) - (i % 2 == 1 || j % 2 == 1 ? 4 : 0));
        p.at({i, j}) = coefficients.back();
      }
    double least = 1e300;
    for (int a = -30; a <= 30; ++a)
      for (int b = -30; b <= 30; ++b) {
        const double x = std::pow(1.2, a), y = std::pow(1.2, b);
        double value = 0;
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 4; ++j)
            value += coefficients[4 * i + j].to_double() * std::pow(x, i) * std::pow(y, j);
        least = std::min(least, value);
      }
    double budget = 1e5;
    const bool nonnegative = nonnegative_on_orthant(p, {HalfLine{}, HalfLine{}}, false, budget, [] {});
    if (nonnegative) {
      ++shown;
      EXPECT_GE(least, -1e-9) << k;
    } else {
      EXPECT_LT(least, 1) << k;  // what has room is shown
    }
  }
  EXPECT_GT(shown, 40);
}

}  // namespace
}  // namespace attest::referee
