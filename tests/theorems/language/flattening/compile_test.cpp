// What a statement becomes at given sizes, and what is refused: one sentence with the place.
#include <gtest/gtest.h>

#include "tests/theorems/language/points.hpp"
#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/program/instruction.hpp"

namespace attest::language {
namespace {

using testing::Test;

TEST(Shapes, ThatDoNotFitAreNamedInTheStatementsOwnLetters) {
  EXPECT_EQ(refusal("forall n in 1..9, d in 1..9, A in R^(n, n), V in R^(d, n): osc(A*V) <= 1", {{"n", 5}, {"d", 7}}),
            "line 1, column 65: 'A*V' multiplies a (n, n) = 5 x 5 matrix by a (d, n) = 7 x 5 one; the columns of the "
            "first must be as many as the rows of the second");
  EXPECT_NE(refusal("forall x in R^3, y in R^4: norm(x + y) <= 1")
                .find("adds a vector of 4 entries to a vector of 3 entries"),
            std::string::npos);
  EXPECT_NE(refusal("forall x in R^3, y in R^3: x*y <= 1").find("say dot(x, y), outer(x, y) or x .* y"),
            std::string::npos);
  EXPECT_NE(refusal("forall A in R^(2, 2): norm(A) <= 1").find("ambiguous"), std::string::npos);
  EXPECT_NE(refusal("forall A in R^(2, 2): eigmax(A) <= 1").find("symmetric by construction"), std::string::npos);
  EXPECT_NE(refusal("forall A in R^(2, 3): det(A) <= 1").find("needs a square matrix, not a 2 x 3 matrix"),
            std::string::npos);
  EXPECT_NE(refusal("forall A in R^(100000, 100000): trace(A) <= 1").find("line 1, column 8: the statement at these"),
            std::string::npos);
  EXPECT_NE(refusal("forall X in R^(3, 3): softmax(X + causal_mask(3))[1, 1] = 1").find("adding it masks nothing"),
            std::string::npos);
  EXPECT_NE(refusal("forall x in R^3: x[4] <= 1").find("index 4 is outside of 1..3"), std::string::npos);
  EXPECT_NE(refusal("forall x in R^3, y in R^2: x <= y").find("both sides must have one shape"), std::string::npos);
  EXPECT_NE(refusal("forall x in R^3: norm(x, 1/2) <= 1").find("a norm's order is at least 1"), std::string::npos);
  EXPECT_NE(refusal("forall x in R, v in R^(x, 2): sum(v) <= 1").find("depends on a variable that is not whole"),
            std::string::npos);
  EXPECT_NE(refusal("forall q, k, v in R^(3, 2): attention(\"softmax\", q, k, v, kausal = true)[1, 1] <= 1"), "");
}

TEST(Shapes, OfSymmetricMatricesByConstruction) {
  EXPECT_EQ(refusal("forall A in R^(2, 3), S in symmetric(2), t in R: eigmax(A*A') + eigmin(t*S - 2*identity(2)) <= 1"),
            "");
  EXPECT_EQ(refusal("forall A in R^(2, 2), x in R^2: eigmax((A + A')/2) + eigmin(A/2 + transpose(A)/2) + "
                    "eigmax(2*A + 2*A') + eigmin(x*x') <= 1"),
            "");
  EXPECT_EQ(refusal("forall A, B in symmetric(2), C in R^(2, 2): eigmax(A*B + B*A) + eigmin(A*B*A) + eigmax(C*A*C') + "
                    "eigmin(3*A*B*C + C'*(3*B)*A) <= 1"),
            "");
  EXPECT_NE(refusal("forall A, B in symmetric(2): eigmax(A*B) <= 1"), "");
  EXPECT_NE(refusal("forall A, B in symmetric(2): eigmax(2*A*B + 3*B*A) <= 1"), "");
  EXPECT_NE(refusal("forall A, B, C in symmetric(2): eigmax(A*B*C) <= 1"), "");
  EXPECT_NE(refusal("forall A in symmetric(2), C in R^(2, 2): eigmax(A*C + C*A) <= 1"), "");
  EXPECT_NE(refusal("forall A, B in R^(2, 2): eigmax(B*A + B*A') <= 1"), "");
  EXPECT_NE(refusal("forall A, B in R^(2, 2): eigmax(A + B') <= 1"), "");
}

TEST(Shapes, OfSymmetricArraysAsTheyAreWritten) {
  EXPECT_EQ(refusal("forall a, b in R: eigmax([a, b; b, a]) <= a + abs(b)"), "");
  EXPECT_NE(refusal("forall a, b in R: eigmax([a, b; a, a]) <= a"), "");
}

TEST(Memory, IsCountedBeforeItIsTaken) {
  const Choices large = {{"n", 4096}};
  const std::string text = "forall n in 1..4096, A in R^(n, n): dobrushin(A*A) <= 1";
  EXPECT_NE(refusal(text, large).find("needs more than 2.0 GiB of memory; choose smaller sizes"), std::string::npos);
  EXPECT_EQ(refusal(text, {{"n", 8}}), "");
}

TEST(Memory, IsNotTakenForIndicesOrTablesEither) {
  EXPECT_NE(refusal("forall x in R: sum(i in 1..10^12: x) <= 1").find("runs over more than a million indices"),
            std::string::npos);
  for (const char* text :
       {"sum(zeros(10^6, 10^6)) <= 1", "trace(diag(ones(10^6))) <= 1", "forall A in R^(2000, 2000): dobrushin(A) <= 1",
        "forall S in symmetric(10^6): trace(S) <= 1"})
    EXPECT_NE(refusal(text).find("GiB of memory"), std::string::npos) << text;
}

TEST(Steps, OfWritingOutNumbersAreCountedToo) {
  const std::string text = "forall n in 1..20000: sum(i in 1..n: sum(j in 1..i: 1/(i + j))) <= n";
  EXPECT_NE(refusal(text, {{"n", 20000}}).find("has more than 10737418 terms and operations; choose smaller sizes"),
            std::string::npos);
  EXPECT_EQ(refusal(text, {{"n", 40}}), "");
  EXPECT_THROW(compile(read_statement(text), {{"n", 400}}, 4000 * bytes_a_step), Oversized);
}

TEST(Unrolling, EqualPartsAreEvaluatedOnce) {
  const Program program = compile(read_statement("forall x in R: exp(x) + exp(x)*exp(x) <= 2*exp(x)"), {});
  int exponentials = 0;
  for (const Instruction& i : program.instructions) exponentials += i.code == Code::unary ? 1 : 0;
  EXPECT_EQ(exponentials, 1);
}

TEST(Unrolling, RecursionsAndDefinitions) {
  const auto statement = read_statement(
      "let a = L + 1 - t: forall L in (0, 4], t in [0, 1], n in 1..30: K(n) <= 1 where K(0) = 1, K(l+1) = a*K(l) + t");
  const Program program = compile(statement, {{"n", 3}});
  Evaluator at(program);
  at.run(std::vector<double>{2, 0.5});
  // 1 -> 2.5 + 0.5 -> 7.5 + 0.5 -> 20 + 0.5
  EXPECT_EQ(at.value(program.claim().lhs)[0], 20.5);
}

TEST(Unrolling, DefinitionsWithParametersSeeTheirArguments) {
  const Program program =
      compile(read_statement("let f(t) = t^2 + c, c = x: forall x in R: sum(i in 1..2: f(x + i)) <= 0"), {});
  Evaluator at(program);
  at.run(std::vector<double>{1});
  // (4 + 1) + (9 + 1): the definition sees the statement's x, bound after it.
  EXPECT_EQ(at.value(program.claim().lhs)[0], 15);
}

TEST(Choices, OfFiniteSetsAreExact) {
  const Program program = compile(read_statement("forall p in {0.1, 2, inf}: 10*p = 1"), {{"p", 0.1}});
  BallEvaluator at(program);
  at.run({});
  EXPECT_EQ(decide(at, program.claim()), Truth::holds);
  EXPECT_EQ(chosen_names(read_statement("forall n in 2..3, p in {1, inf}, x in R^n: norm(x, p) <= 1")),
            (std::vector<std::string>{"n", "p"}));
}

TEST(Expectations, StandAsNumbersThatOthersGive) {
  const Program program = compile(
      read_statement("forall n in 1..9, s in (0, 2): random g ~ normal(0, s)^n: E[max(g)] <= s*sqrt(2*log(2*n))"),
      {{"n", 3}});
  ASSERT_EQ(program.expectations().size(), 1U);
  const RawInput& g = program.inputs()[1];
  EXPECT_TRUE(g.random);
  EXPECT_EQ(g.law.name, "normal");
  Evaluator at(program);
  at.run(std::vector<double>{0.5, 1, 3, 2}, std::vector<double>{0.42});
  EXPECT_EQ(at.value(program.claim().lhs)[0], 0.42);
  EXPECT_EQ(at.value(program.expectations()[0].integrand)[0], 3);
  EXPECT_EQ(at.value(g.law_arguments[1])[0], 0.5);
}

TEST(Expectations, ADrawOutsideOfThemIsRefused) { EXPECT_NE(refusal("random g ~ normal(0, 1)^3: max(g) <= 5"), ""); }

TEST(Undefined, IsToldWithItsExpression) {
  const Program program = compile(read_statement("forall x, y in R: (x + y)/(x - y) <= 1"), {});
  Evaluator at(program);
  at.run(std::vector<double>{2, 2});
  const auto undefined = undefined_at(at);
  ASSERT_TRUE(undefined);
  EXPECT_EQ(undefined->sentence, "division by zero in '(x + y)/(x - y)'");
  at.run(std::vector<double>{2, 1});
  EXPECT_FALSE(undefined_at(at));
}

TEST(AttentionCalls, AreTheLibrarysInDoublesAndTheDefinitionInBalls) {
  const Program program = compile(
      read_statement("forall q, k, v in R^(5, 2): attention(\"softmax\", q, k, v) = softmax(q*k'/sqrt(2))*v"), {});
  const auto raw = moderate_point(program, 1);
  Evaluator doubles(program);
  doubles.run(raw);
  EXPECT_GT(margin(doubles, program.claim(), true), -1e-13);
  const Program unknown =
      compile(read_statement("forall q, k, v in R^(5, 2): attention(\"linear-twicing\", q, k, v) = v"), {});
  BallEvaluator balls(unknown);
  balls.run(std::vector<rigor::Ball>(raw.begin(), raw.end()));
  EXPECT_EQ(decide(balls, unknown.claim()), Truth::open);
}

}  // namespace
}  // namespace attest::language
