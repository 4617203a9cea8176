// Identities that algebra proves, refutes, or leaves open.
#include "theorems/language/algebra/exact.hpp"

#include <gtest/gtest.h>

#include "tests/theorems/language/points.hpp"

namespace attest::language {
namespace {

Algebra algebra(const std::string& text, const Choices& choices = {}) {
  const Program program = compile(read_statement(text), choices);
  return decide_by_algebra(program, program.claim()).answer;
}

const std::string recursion =
    "let a = L + 1 - t: forall L in (0, 4], t in [0, 1], n in 1..30: K(n) = (L*a^n - t)/(L - t) where K(0) = 1, "
    "K(l+1) = a*K(l) + t";

TEST(Exact, ProvesIdentitiesOfRationalFunctions) {
  EXPECT_EQ(algebra(recursion, {{"n", 30}}), Algebra::holds);
  EXPECT_EQ(algebra("forall x, y in R: (x^2 - y^2)/(x - y) = x + y"), Algebra::holds);
  EXPECT_EQ(algebra("forall A, B in R^(3, 3): det(A*B) = det(A)*det(B)"), Algebra::holds);
  EXPECT_EQ(algebra("forall A in R^(3, 3): A*inverse(A) = identity(3)"), Algebra::holds);
  EXPECT_EQ(algebra("forall A in R^(4, 4), v in R^4: (2*identity(4) - A)*A*v = 2*A*v - A^2*v"), Algebra::holds);
}

TEST(Exact, RefutesOthers) {
  EXPECT_EQ(algebra("forall x, y in R: (x + y)^2 = x^2 + y^2"), Algebra::fails);
  EXPECT_EQ(algebra("forall x in [0, 1]: 10000000000*x = 10000000001*x"), Algebra::fails);
  EXPECT_EQ(algebra("forall A, B in R^(2, 2): A*B = B*A"), Algebra::fails);
}

TEST(Exact, DoesNotRefuteOnFewerPointsThanAnInterval) {
  EXPECT_NE(algebra("forall x in [1, 1]: x = 1"), Algebra::fails);
  EXPECT_NE(algebra("forall x in R where x = 1: x = 1"), Algebra::fails);
  EXPECT_NE(algebra("forall x in [0, 1]: abs(x) = x"), Algebra::fails);
  EXPECT_NE(algebra("forall z in {0, 1}^2: z[1]^2 = z[1]"), Algebra::fails);
  EXPECT_NE(algebra("forall x in R: sin(x)^2 + cos(x)^2 = 1"), Algebra::fails);
  EXPECT_NE(algebra("forall x in R: sqrt(2)*sqrt(3) = sqrt(6)"), Algebra::fails);
}

TEST(Exact, KnowsSquaresOfRootsAndNorms) {
  EXPECT_EQ(algebra("forall x, y in R^4: norm(x + y)^2 + norm(x - y)^2 = 2*norm(x)^2 + 2*norm(y)^2"), Algebra::holds);
  EXPECT_EQ(algebra("forall x in sphere(4): norm(x) = 1"), Algebra::holds);
  EXPECT_EQ(algebra("forall Q in orthogonal(3): Q*Q' = identity(3) and det(Q)^2 = 1"), Algebra::holds);
  EXPECT_EQ(algebra("forall A in R^(3, 2): frobenius(A)^2 = trace(A*A')"), Algebra::holds);
  EXPECT_EQ(algebra("forall x in (0, 1]: sqrt(1 + sqrt(x))^4 = 1 + 2*sqrt(x) + x"), Algebra::holds);
}

TEST(Exact, KnowsSoftmaxByItsExponentials) {
  EXPECT_EQ(algebra("forall x in R^4, t in R: softmax(x + t) = softmax(x)"), Algebra::holds);
  EXPECT_EQ(algebra("forall x in R^4: jacobian_softmax(x)*ones(4) = zeros(4)"), Algebra::holds);
  EXPECT_EQ(algebra("forall p in simplex(5): sum(p) = 1"), Algebra::holds);
  EXPECT_EQ(algebra("forall A in stochastic(3, 3): A*A*ones(3) = ones(3)"), Algebra::holds);
}

TEST(Exact, InequalitiesWhoseSidesDifferByAConstant) {
  EXPECT_EQ(algebra("forall x in R: (x + 1)^2 <= x^2 + 2*x + 2"), Algebra::holds);
  EXPECT_EQ(algebra("forall x in R: (x + 1)^2 < x^2 + 2*x + 1"), Algebra::fails);
  EXPECT_EQ(algebra("forall x in R: x^2 >= 0"), Algebra::open);
}

TEST(Exact, LeavesOpenWhatGrowsTooLargeOrIsTheLibrarys) {
  EXPECT_EQ(algebra("forall A in R^(30, 30): A*A = A*A + 0*A"), Algebra::open);
  EXPECT_EQ(algebra("forall q, k, v in R^(2, 2): attention(\"softmax\", q, k, v) = softmax(q*k'/sqrt(2))*v"),
            Algebra::open);
}

}  // namespace
}  // namespace attest::language
