// Linear equations are solved, so that every point meets them.
#include "theorems/referee/question/met_linear.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/theorems/referee/quickly.hpp"

namespace attest::referee {
namespace {

std::string met(const std::string& text) { return normal_form_by(with_linear_equations_met, text); }

TEST(MetLinear, ANumberThatStandsOnceIsSolvedFor) {
  EXPECT_EQ(met("forall a, b, c in R where a + b + c = 0: a*b + b*c + c*a <= 0"),
            "let c = -(a + b): forall a, b in R: a*b + b*c + c*a <= 0");
  EXPECT_EQ(met("forall a in R, b in [0, 1] where a^2 = b - 2*a: a <= 1"),
            "let b = a^2 + 2*a: forall a in R: a <= 1 where 0 <= b, b <= 1");
  EXPECT_EQ(met("forall x, y in R where 3*x - 2*y = 4 and x > 0: y > -2"),
            "let y = (4 - 3*x)/(-2): forall x in R where x > 0: y > -2");
  EXPECT_EQ(met("forall x, y, z in R where x + y = 1, y + z = 1: x = z"),
            "let y = 1 - x, z = 1 - y: forall x in R: x = z");
}

TEST(MetLinear, OfAVectorTheMeanIsTaken) {
  EXPECT_EQ(met("forall n in 2..8, x in R^n where sum(x) = 0: max(x) >= 0"),
            "let x = x_free - mean(x_free): forall n in 2..8, x_free in R^n: max(x) >= 0");
  EXPECT_EQ(met("forall n in 2..8, x in [0, 2]^n where 1 = mean(x): max(x) >= 1"),
            "let x = x_free - mean(x_free) + 1: forall n in 2..8, x_free in [0, 2]^n: max(x) >= 1 "
            "where 0 <= x, x <= 2");
  EXPECT_EQ(met("forall n in 2..8, x in R^n, s in R where sum(i in 1..n: x[i]) = s^2: max(x) >= 0"),
            "let x = x_free - mean(x_free) + s^2/n: forall n in 2..8, x_free in R^n, s in R: max(x) >= 0");
  EXPECT_EQ(met("forall n in 2..4, A in symmetric(n) where trace(A) = 0: max(A) >= 0"),
            "let A = A_free - trace(A_free)/n*identity(n): forall n in 2..4, A_free in symmetric(n): max(A) >= 0");
}

TEST(MetLinear, NothingElseIs) {
  for (const char* text :
       {"forall x, y in R where x*y = 1: x + y >= 2", "forall x in R where x + x^2 = 1: x <= 1",
        "forall x in R^3 where norm(x) = 1: max(x) <= 1", "forall p in simplex(3) where sum(p) = 1: max(p) <= 1",
        "forall x, y in R where x + y <= 1: x <= 1", "forall n in 1..4, m in 1..4 where n + m = 5: n*m <= 6",
        "forall a in R, x in R^3 where a = x: range(x) = 0", "forall x, y in R^3 where sum(x) = y: range(y) = 0",
        "forall x, y in R^3 where x + y = 1: range(x) = range(y)",
        "forall x in R, y in [0, x] where x + y*x = 1: y <= 1", "let s = x^2: forall x in R where s + x = 1: x <= 1"})
    EXPECT_EQ(met(text), "") << text;
}

TEST(MetLinear, TheTruthStandsAndWhatIsFalseByAThousandthFalls) {
  using engine::Verdict;
  EXPECT_EQ(judged_quickly("forall a, b, c in R where a + b + c = 0: a*b + b*c + c*a <= 0").verdict,
            Verdict::certified);
  EXPECT_TRUE(judged_quickly("forall n in 2..8, x in R^n where mean(x) = 0: norm(x, inf) <= range(x)").stands());
  EXPECT_NE(judged_quickly("forall a in R, x in R^3 where a = x: range(x) = 0").verdict, Verdict::refuted);
  EXPECT_TRUE(judged_quickly("forall n in 2..6, x in R^n where sum(x) = 0: "
                             "sum(i in 1..n: x[i]^3)^2 <= (n - 2)^2/(n*(n - 1))*norm(x)^6")
                  .stands());
  const Outcome fallen =
      judged_quickly("forall n in 2..8, x in R^n where sum(x) = 0: max(x) <= 0.999*sqrt((n - 1)/n)*norm(x)", true);
  ASSERT_EQ(fallen.verdict, Verdict::refuted);
  ASSERT_TRUE(fallen.repair);
  EXPECT_EQ(fallen.repair->statement, "forall n in 2..8, x in R^n where sum(x) = 0: max(x) <= sqrt((n - 1)/n)*norm(x)");
}

}  // namespace
}  // namespace attest::referee
