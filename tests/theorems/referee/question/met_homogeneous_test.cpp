// An equation that no stored numbers meet exactly is met by scaling.
#include "theorems/referee/question/met_homogeneous.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/theorems/referee/quickly.hpp"

namespace attest::referee {
namespace {

std::string met(const std::string& text) { return normal_form_by(with_homogeneous_equation_met, text); }

TEST(MetHomogeneous, HomogeneousSidesAreScaled) {
  EXPECT_EQ(met("forall x, y in R where x^2 + y^2 = 1: x + y <= 1.4"),
            "let x_scale = (1/(x_free^2 + y_free^2))^(1/2), x = x_free*x_scale, y = y_free*x_scale: "
            "forall x_free in R, y_free in R: x + y <= 1.4 where x_free^2 + y_free^2 > 0");
  EXPECT_EQ(met("forall n in 1..4, A in psd(n) where trace(A) = 1: det(A) <= 1"),
            "let A_scale = (1/trace(A_free))^1, A = A_free*A_scale: "
            "forall n in 1..4, A_free in psd(n): det(A) <= 1 where trace(A_free) > 0");
  EXPECT_EQ(met("forall x in [0, 2], y in R where x*y = 1: x + y >= 2"),
            "let x_scale = (1/(x_free*y_free))^(1/2), x = x_free*x_scale, y = y_free*x_scale: "
            "forall x_free in [0, inf), y_free in R: x + y >= 2 where x_free*y_free > 0, x <= 2");
}

TEST(MetHomogeneous, NothingElseIs) {
  for (const char* text :
       {"forall x in R where exp(x) + x = 1: x <= 1", "forall x, y in R where x^2 + y^2 <= 1: x <= 1",
        "forall x in R^3 where abs(x) = 1: norm(x)^2 = 3", "forall x in R where norm(x) + ones(3) = 2: x <= 1",
        "forall x in R, y in [x, 2] where x*y + x = 1: x <= 1",
        "forall x, y in R where x^2 + y^2 = 1 and x^2 + 2*y^2 = 1.5: x <= 1",
        "forall p in simplex(3) where norm(p)^2 = 1/2: max(p) <= 1",
        "let s = x^2 + y^2: forall x, y in R where s*x = 1: x <= 1"})
    EXPECT_EQ(met(text), "") << text;
}

TEST(MetHomogeneous, FalseByAPercentFallsAndTheTruthStands) {
  using engine::Verdict;
  const Outcome circle = judged_quickly("forall x, y in R where x^2 + y^2 = 1: x + y <= 1.4");
  EXPECT_EQ(circle.verdict, Verdict::refuted);
  ASSERT_TRUE(circle.witness);
  EXPECT_EQ(circle.witness->values.at(0).name, "x");
  const double x = circle.witness->values.at(0).entries.at(0), y = circle.witness->values.at(1).entries.at(0);
  EXPECT_DOUBLE_EQ(std::hypot(x, y), 1.0);
  EXPECT_GT(x + y, 1.4);
  EXPECT_TRUE(judged_quickly("forall x, y in R where x^2 + y^2 = 1: x + y <= 1.4143").stands());
  EXPECT_EQ(judged_quickly("forall n in 2..4, A in psd(n) where trace(A) = 1: frobenius(A) <= 0.99").verdict,
            Verdict::refuted);
  EXPECT_TRUE(judged_quickly("forall n in 2..4, A in psd(n) where trace(A) = 1: frobenius(A) <= 1.0001").stands());
  EXPECT_EQ(judged_quickly("forall x in R^4 where norm(x, 1) = 1: norm(x) >= 0.501").verdict, Verdict::refuted);
  EXPECT_TRUE(judged_quickly("forall x in R^4 where norm(x, 1) = 1: norm(x) >= 0.4999").stands());
  EXPECT_EQ(judged_quickly("forall x in R^4 where sum(x) = 0 and norm(x) = 1: max(x) <= 0.865").verdict,
            Verdict::refuted);
  EXPECT_EQ(judged_quickly("forall x, y in (0, inf) where x*y = 1: x + y >= 2.01").verdict, Verdict::refuted);
}

}  // namespace
}  // namespace attest::referee
