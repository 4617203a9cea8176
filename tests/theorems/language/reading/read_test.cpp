// Text to tree, tree to normal form, and back.
#include "theorems/language/read.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/theorems/language/random_statement.hpp"
#include "tests/theorems/language/statement_corpus.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/vocabulary.hpp"

namespace attest::language {
namespace {

std::string normal(const std::string& text) { return normal_form(read_statement(text)); }
std::string normal_expression(const std::string& text) { return normal_form(read_expression(text)); }

void expect_reads_back(const Statement& statement) {
  const std::string text = normal_form(statement);
  const Statement again = read_statement(text);
  EXPECT_TRUE(same(statement, again)) << text;
  EXPECT_EQ(normal_form(again), text);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c >= ' ' && c <= '~') << text;
}

TEST(Reading, EveryStatementOfTheCorpusReadsBackToTheSameTree) {
  EXPECT_GE(statement_corpus().size(), 150U);
  std::set<std::string> forms;
  for (const std::string& text : statement_corpus()) {
    SCOPED_TRACE(text);
    expect_reads_back(read_statement(text));
    forms.insert(normal(text));
  }
  EXPECT_GE(forms.size(), 150U);
}

TEST(Reading, RandomTreesReadBackToTheSameTree) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    expect_reads_back(random_statement(seed));
  }
}

TEST(Reading, TheNormalFormIsOneLineOfASCII) {
  EXPECT_EQ(normal("∀ n ∈ 2..64, p ∈ {1,2,∞},\n x ∈ R^n, y in R^n:  # Lipschitz\n"
                   " norm(softmax(x)−softmax(y), p) ≤ 0.5·norm(x-y, p)"),
            "forall n in 2..64, p in {1, 2, inf}, x, y in R^n: norm(softmax(x) - softmax(y), p) <= 1/2*norm(x - y, p)");
}

TEST(Reading, OneSpellingForEachMeaning) {
  const std::vector<std::pair<std::string, std::string>> spellings = {
      {"logistic(x)", "sigmoid(x)"},
      {"swish(x) + ln(x)", "silu(x) + log(x)"},
      {"transpose(A)", "A'"},
      {"norm(A, \"fro\")", "frobenius(A)"},
      {"norm(A, fro)", "frobenius(A)"},
      {"opnorm(A, 1)", "norm(A, 1)"},
      {"norm(x, p = 2)", "norm(x, 2)"},
      {"layernorm(x, eps = 1e-5)", "layernorm(x, 1e-5)"},
      {"max(a, b, c)", "max(max(a, b), c)"},
      {"x**2 @ y", "x^2*y"},
      {"((x))", "x"},
      {"[[a, b], [c, d]]", "[a, b; c, d]"},
      {"A[1, 2..3]", "A[1][2..3]"},
      {"A[1..2, 3]", "A'[3][1..2]"},
      {"A[1..2, k..n]", "A[1..2]'[k..n]'"},
      {"sum(i, j in 1..n: i*j)", "sum(i in 1..n: sum(j in 1..n: i*j))"},
      {"2/4", "1/2"},
      {"0.50", "1/2"},
      {"+x - -y", "x - (-y)"},
      {"π", "pi"},
      {".5 + x²", "1/2 + x^2"},
  };
  for (const auto& [typed, normal] : spellings) EXPECT_EQ(normal_expression(typed), normal);
}

TEST(Reading, ForAllMayBeTwoWords) {
  EXPECT_EQ(normal("for all n in 1..3, x in Rⁿ: norm(x) >= 0"), "forall n in 1..3, x in R^n: norm(x) >= 0");
  EXPECT_EQ(normal("let for = 1: for = 1"), "let for = 1: for = 1");
}

TEST(Reading, NumbersAreExactAndWrittenShortly) {
  for (const std::string number : {"12", "1/2", "0.71", "2/3", "0.2", "1e-5", "-7/3", "1e30", "6.02214076e23", "3/4",
                                   "0.001", "123456.789", "1/11", "9007199254740993", "355/113"})
    EXPECT_EQ(normal_expression(number), number);
  EXPECT_EQ(read_expression("0.1 + 0.2")->args[0]->value, rigor::Rational(1, 10));
  EXPECT_EQ(read_expression("-3/6")->value, rigor::Rational(-1, 2));
}

TEST(Reading, OperatorsBindAsInPython) {
  const std::vector<std::pair<std::string, std::string>> bracketed = {
      {"-x^2", "-(x^2)"},
      {"2^-x^2", "2^(-(x^2))"},
      {"a - b - c", "(a - b) - c"},
      {"a/b*c", "(a/b)*c"},
      {"2^3^n", "2^(3^n)"},
      {"-x*y", "(-x)*y"},
      {"a + b*c^d'", "a + (b*(c^(d')))"},
      {"x[1]^2", "(x[1])^2"},
      {"-a .* b", "(-a) .* b"},
      {"A*B'[1, 2]", "A*((B')[1, 2])"},
      {"x.^2 ./ y", "(x.^2) ./ y"},
      {"1/2*x", "(1/2)*x"},
      {"x/2*3", "(x/2)*3"},
  };
  for (const auto& [plain, full] : bracketed)
    EXPECT_TRUE(same(read_expression(plain), read_expression(full))) << plain << " and " << full;
  EXPECT_TRUE(same(read_statement("forall x in R: not x < 1 and x > 2 or x = 3 => x = 4 => x = 5"),
                   read_statement("forall x in R: (((not (x < 1)) and x > 2) or x = 3) => (x = 4 => x = 5)")));
  EXPECT_FALSE(same(read_expression("a - (b - c)"), read_expression("a - b - c")));
  EXPECT_FALSE(same(read_expression("(-x)^2"), read_expression("-x^2")));
}

TEST(Reading, ChainsOfRelationsAreConjunctions) {
  EXPECT_EQ(normal("forall x in R: 0 <= x < 1 = x"), "forall x in R: 0 <= x and x < 1 and 1 = x");
}

TEST(Reading, UnequalIsADeniedEquation) {
  for (const char* sign : {"!=", "<>", "≠"})
    EXPECT_EQ(normal(std::string("forall x in R: 2*x ") + sign + " 1"), "forall x in R: not 2*x = 1");
  EXPECT_EQ(normal("forall x, y, z in R: x < y != z"), "forall x, y, z in R: x < y and not y = z");
}

TEST(Reading, ConditionsOfABinderEndWhereTheNextBinderBegins) {
  const Statement s =
      read_statement("forall a in R where a > 0, a < 2 and a^2 < 3, b, c in R where 0 < b < 1: a*b = c");
  ASSERT_EQ(s.binders.size(), 2U);
  EXPECT_EQ(s.binders[0].conditions.size(), 3U);
  EXPECT_EQ(s.binders[1].names, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(s.binders[1].conditions.size(), 2U);
}

TEST(Reading, ASecondWhereAddsToTheFirst) {
  EXPECT_EQ(normal("forall x in R where x > 0 where x < 1, y in R: x < y where y > 1 where x*y > 2"),
            "forall x in R where x > 0 and x < 1, y in R: x < y where y > 1, x*y > 2");
}

TEST(Reading, ABinderIsJoinedToItsEqualNeighbour) {
  EXPECT_EQ(normal("forall x in R, y in R where y > x: x < y"), "forall x, y in R where y > x: x < y");
  EXPECT_EQ(normal("forall x in R where x > 0, y in R: x = y"), "forall x in R where x > 0, y in R: x = y");
}

TEST(Reading, StepsAreShiftedToTheirEarliestValue) {
  const Statement s = read_statement("F(9) = 34 where F(0) = 0, F(1) = 1, F(l) = F(l - 1) + F(l - 2) + 0*l");
  ASSERT_EQ(s.recursions.size(), 1U);
  EXPECT_EQ(s.recursions[0].ahead, 2);
  EXPECT_EQ(normal_form(s.recursions[0].step), "F(l + 1) + F(l) + 0*(l + 2)");
  EXPECT_EQ(s.recursions[0].start.size(), 2U);
  EXPECT_TRUE(s.conditions.empty());
}

TEST(Reading, AnOrderBindsItsOneFreeName) {
  const Statement s = read_statement("let f(n) = log(n): f(n) = O(n)");
  ASSERT_EQ(s.binders.size(), 1U);
  EXPECT_EQ(s.binders[0].quantifier, Quantifier::limit);
  EXPECT_EQ(s.claim->op, Op::order);
  EXPECT_EQ(normal_form(s), "let f(n) = log(n): limit n -> inf: f(n) = O(n)");
}

TEST(Reading, LettersOfTheLanguageAreNamesWhereTheyAreBound) {
  EXPECT_EQ(read_statement("forall e in (0, 1): e < 1").claim->args[0]->op, Op::variable);
  EXPECT_EQ(read_statement("e < 3").claim->args[0]->op, Op::constant);
  EXPECT_EQ(normal("forall R in (0, 1], E in [0, R], gamma in R^2: E <= R and gamma[1] = 1"),
            "forall R in (0, 1], E in [0, R], gamma in R^2: E <= R and gamma[1] = 1");
}

TEST(Reading, NodesKnowWhereTheyStand) {
  const Statement s = read_statement("forall x in R^2,\n  A in R^(2, 2): norm(A*x)\n <= 1");
  EXPECT_EQ(s.claim->place.line, 3);
  EXPECT_EQ(s.claim->place.column, 2);
  const Expr& product = s.claim->args[0]->args[0];
  EXPECT_EQ(product->place.line, 2);
  EXPECT_EQ(product->place.column, 24);
  EXPECT_EQ(s.binders[1].set.place.column, 8);
}

TEST(Vocabulary, GivesTheSameTreeAsText) {
  const Variable n = count("n", 2, 64), p = one_of("p", {1, 2, infinity()}), x = vector("x", n), y = vector("y", n);
  const Expr left = call("norm", {call("softmax", {x}) - call("softmax", {y}), p});
  EXPECT_TRUE(same(forall({n, p, x, y}).says(leq(left, ratio(1, 2) * call("norm", {x - y, p}))),
                   read_statement(statement_corpus()[0])));
  const Variable L = scalar("L", 0, 4, "(]"), t = scalar("t", 0, 1), m = count("m", 1, 30), l{"l"};
  const Statement recursion = forall({L, t, m})
                                  .let("a", {}, L + 1 - t)
                                  .where(equal(call("K", {0}), 1))
                                  .where(equal(call("K", {l + 1}), Variable{"a"} * call("K", {l}) + t))
                                  .says(equal(call("K", {m}), (L * power(Variable{"a"}, m) - t) / (L - t)));
  EXPECT_TRUE(same(recursion, read_statement("let a = L + 1 - t: forall L in (0, 4], t in [0, 1], m in 1..30: "
                                             "K(m) = (L*a^m - t)/(L - t) where K(0) = 1, K(l+1) = a*K(l) + t")));
  const Statement chance =
      Prefix()
          .forall({n})
          .random("g", "gaussian", {0, 1}, {n})
          .says(leq(mean_of(call("max", {Variable{"g"}})), call("sqrt", {2 * Term(call("log", {2 * Term(n)}))})));
  EXPECT_TRUE(
      same(chance, read_statement("forall n in 2..64: random g ~ normal(0, 1)^n: E[max(g)] <= sqrt(2*log(2*n))")));
}

}  // namespace
}  // namespace attest::language
