// What cannot be read gets one sentence with its place and the fix.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/language/reading/source_text.hpp"

namespace attest::language {
namespace {

using testing::HasSubstr;

/// What is said of `text`; the character that it points at must be `column` on `line`.
std::string said(const std::string& text, int line, int column) {
  try {
    const Statement read = read_statement(text);
    ADD_FAILURE() << "was read as " << normal_form(read);
  } catch (const Problem& problem) {
    EXPECT_EQ(problem.place().line, line) << problem.what();
    EXPECT_EQ(problem.place().column, column) << problem.what();
    EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos);
    return problem.what();
  }
  return "";
}

/// The place is where `^` stands under the text.
std::string said_at(const std::string& text, const std::string& caret) {
  return said(text, 1, static_cast<int>(caret.find('^')) + 1);
}

TEST(Problems, NameLineAndColumn) {
  EXPECT_EQ(said("forall x in R:\n  sofmax(x) <= 1", 2, 3),
            "line 2, column 3: unknown function 'sofmax'; did you mean softmax?");
}

TEST(Problems, ColumnsCountCharactersNotBytes) {
  EXPECT_THAT(said_at("∀ α ∈ (0, 1): α ≤ ψ", "                  ^"), HasSubstr("'psi' is not bound"));
}

TEST(Problems, Brackets) {
  EXPECT_THAT(said_at("forall x in R: (x + 1 <= 2", "                          ^"),
              HasSubstr("'(' at line 1, column 16 is open"));
  EXPECT_THAT(said_at("forall x in R: x + 1) <= 2", "                    ^"), HasSubstr("')' closes nothing"));
  EXPECT_THAT(said_at("forall x in R^2: norm(x] <= 2", "                       ^"),
              HasSubstr("')' is expected here instead of ']', to close the '(' at line 1, column 22"));
  EXPECT_THAT(said_at("forall x in (0, 4}: x <= 4", "                 ^"), HasSubstr("')' or ']'"));
  EXPECT_THAT(said_at("forall p in {1, 2: p <= 4", "                 ^"), HasSubstr("'}'"));
  EXPECT_THAT(said_at("forall x in R^2: x[1, <= 4", "                      ^"),
              HasSubstr("a number, a name or a bracket is expected"));
  EXPECT_THAT(said_at("forall x in R^2: x[] <= 4", "                   ^"), HasSubstr("missing before ']'"));
}

TEST(Problems, HabitsOfPaperBeforeTheClaimAndInIt) {
  EXPECT_THAT(said_at("forall x in R: sin^2(x) <= 1", "                    ^"),
              HasSubstr("write sin(x)^2 for sin^2(x) and * for a product"));
  EXPECT_THAT(said_at("forall x in R: 2(x + 1) <= 1", "                ^"), HasSubstr("'('; write * for a product"));
  EXPECT_THAT(said_at("forall x > 0: log(x) <= x", "         ^"), HasSubstr("forall x in (0, inf):"));
  EXPECT_THAT(said_at("forall x in R, x^2 >= 0", "                ^"), HasSubstr("write ':' where the claim begins"));
}

TEST(Problems, NamesThatAreNotBound) {
  EXPECT_THAT(said_at("forall x in R: x + y <= 1", "                   ^"), HasSubstr("forall y in R:"));
  EXPECT_THAT(said_at("forall x in R^n: norm(x) >= 0", "              ^"), HasSubstr("forall n in 1..64:"));
  EXPECT_THAT(said_at("forall p in simplex(4): sum(p[i]) <= 1", "                              ^"),
              HasSubstr("sum(i in 1..4: x[i]^2)"));
  EXPECT_THAT(said_at("forall width in R: widht <= 1", "                   ^"), HasSubstr("did you mean width?"));
  EXPECT_THAT(said_at("forall x in R: softmax <= 1", "               ^"), HasSubstr("softmax(x)"));
  EXPECT_THAT(said_at("forall n in n..5: n <= 1", "            ^"), HasSubstr("bound only later"));
  EXPECT_THAT(said_at("let a = b: forall x in [0, a], b in R: x <= a", "                           ^"),
              HasSubstr("'a' uses 'b', which is bound only later"));
  EXPECT_THAT(said_at("f(n, m) = O(n)", "     ^"), HasSubstr("neither 'n' nor 'm' is bound"));
}

TEST(Problems, NamesThatCannotBeBound) {
  EXPECT_THAT(said_at("forall x in R, y, x in R: x <= 1", "                  ^"), HasSubstr("'x' is bound twice"));
  EXPECT_THAT(said_at("forall inf in R: 1 <= 1", "       ^"), HasSubstr("word of the language"));
  EXPECT_THAT(said_at("let max(x) = x: 1 <= 1", "    ^"), HasSubstr("function of the language"));
  EXPECT_THAT(said_at("forall in in R: 1 <= 1", "       ^"), HasSubstr("a name and its set"));
  EXPECT_THAT(said_at("forall i in 1..3, x in R^3: sum(i in 1..3: x[i]) <= 1", "                            ^"),
              HasSubstr("'i' is already bound"));
  EXPECT_THAT(said_at("let f(x, x) = x: f(1, 2) <= 1", "         ^"), HasSubstr("two parameters"));
  EXPECT_THAT(said_at("forall E in R^2: E[1] <= 1", "                 ^"), HasSubstr("E[...] is the mean"));
}

TEST(Problems, Calls) {
  EXPECT_THAT(said_at("forall x in R: dot(x) <= 1", "               ^"), HasSubstr("one argument; write dot(x, y)"));
  EXPECT_THAT(said_at("forall x in R: exp(x, 2) <= 1", "               ^"), HasSubstr("2 arguments; write exp(x)"));
  EXPECT_THAT(said_at("forall x in R: exp() <= 1", "               ^"), HasSubstr("no argument; write exp(x)"));
  EXPECT_THAT(said_at("forall x in R: exp(x, base = 2) <= 1", "                             ^"),
              HasSubstr("no option 'base'"));
  EXPECT_THAT(said_at("forall x in R^2: layernorm(x) <= 1", "                 ^"), HasSubstr("layernorm(x, eps)"));
  EXPECT_THAT(said_at("forall x in R: x(1) <= 1", "               ^"),
              HasSubstr("x*(...) for a product and x[i] for an entry"));
  EXPECT_THAT(
      said_at("forall q in R^(2, 2): sum(attention(\"twicin\", q, q, q)) = 1", "                                    ^"),
      HasSubstr("did you mean twicing?"));
  EXPECT_THAT(said_at("forall q in R^(2, 2): sum(attention(\"softmax\", q, q, q, causl = true)) = 1",
                      "                                                                ^"),
              HasSubstr("no option 'causl'; it takes causal"));
  EXPECT_THAT(said_at("forall x in R: norm(x, \"l2\") <= 1", "                       ^"), HasSubstr("unknown norm"));
  EXPECT_THAT(said_at("let f(x) = x: f(1, 2) <= 1", "              ^"),
              HasSubstr("defined for 1 argument and called with 2"));
}

TEST(Problems, Sets) {
  EXPECT_THAT(said_at("forall n in N: n >= 1", "            ^"), HasSubstr("give a range such as 1..64"));
  EXPECT_THAT(said_at("forall x in bal(3, 1): x[1] <= 1", "            ^"), HasSubstr("did you mean ball"));
  EXPECT_THAT(said_at("forall x in ball(3): x[1] <= 1", "            ^"), HasSubstr("ball(n, R)"));
  EXPECT_THAT(said_at("forall x in simplex(3)^2: x[1] <= 1", "            ^"), HasSubstr("takes no power"));
  EXPECT_THAT(said_at("forall x in R x <= 1", "              ^"), HasSubstr("a set is expected here, before 'x'"));
  EXPECT_THAT(said_at("random g ~ nrmal(0, 1): E[g] <= 1", "           ^"), HasSubstr("did you mean normal"));
  EXPECT_THAT(said_at("random g ~ normal(0): E[g] <= 1", "           ^"), HasSubstr("normal(mean, deviation)"));
}

TEST(Problems, HabitsFromElsewhere) {
  EXPECT_THAT(said_at("forall x in R: |x| <= 1", "               ^"), HasSubstr("abs(x)"));
  EXPECT_THAT(said_at("forall x in R: 2x <= 1", "                ^"), HasSubstr("write * for a product"));
  EXPECT_THAT(said_at("forall n in 1..3: n! <= 1", "                   ^"), HasSubstr("factorial(n)"));
  EXPECT_THAT(said_at("forall x in R: \\frac{1}{2} <= 1", "               ^"), HasSubstr("not TeX"));
  EXPECT_THAT(said_at("forall A in R^(2, 2): A.T = A", "                       ^"), HasSubstr("A' for a transpose"));
  EXPECT_THAT(said_at("forall x in R: x <= 1 and forall y in R: y <= 1", "                          ^"),
              HasSubstr("stands before the claim"));
  EXPECT_THAT(said_at("forall x in R: x é 1", "                 ^"), HasSubstr("not part of the language"));
}

TEST(Problems, BindersAsElsewhere) {
  EXPECT_THAT(said_at("forall n >= 2, x in R^n: norm(x) >= 0", "         ^"),
              HasSubstr("forall n in 1..64 where n >= 2:"));
  EXPECT_THAT(said_at("forall n in 1..4 and x in R^n: norm(x) >= 0", "                       ^"),
              HasSubstr("with commas between"));
  EXPECT_THAT(said_at("forall n in 1..4, x[n] in [-1, 1]: x <= 1", "                   ^"),
              HasSubstr("forall x in R^n or x in [-1, 1]^n"));
  EXPECT_THAT(said_at("forall x in R[n], n in 1..4: norm(x) >= 0", "                ^"),
              HasSubstr("a set of vectors is written R^n"));
  EXPECT_THAT(said_at("E[max(x)] <= 3, x ~ normal(0, 1)^8", "              ^"),
              HasSubstr("sets and laws stand before the claim"));
  EXPECT_THAT(said_at("forall n in {1..5}: n >= 1", "              ^"),
              HasSubstr("'..' cannot stand here; ranges such as 1..n stand without brackets"));
  EXPECT_THAT(said_at("forall A in R^(2, 2): A^T = A", "                        ^"), HasSubstr("A' for the transpose"));
}

TEST(Problems, NumbersAndRelations) {
  EXPECT_THAT(said_at("forall x in R: x", "               ^"), HasSubstr("must be a relation"));
  EXPECT_THAT(said_at("forall x in R: 1 + (x <= 2) = 3", "                      ^"),
              HasSubstr("a relation stands where a number is expected"));
  EXPECT_THAT(said_at("forall x in R: x and x <= 1", "                 ^"), HasSubstr("join relations"));
  EXPECT_THAT(said("forall x in R: exp(x) => 1 + x", 1, 23), HasSubstr("'at least' is >="));
  EXPECT_THAT(said_at("forall x in R: x <= 1/0", "                     ^"), HasSubstr("divided by 0"));
  EXPECT_THAT(said_at("forall x in R: 1e999999 > x", "               ^"), HasSubstr("exponent is too large"));
  EXPECT_THAT(said_at("[1, 2; 3] = [1, 2; 3, 4]", "       ^"), HasSubstr("this row has 1 entries and the first has 2"));
}

TEST(Problems, Chance) {
  EXPECT_THAT(said_at("forall x in R: E[x] <= 1", "               ^"), HasSubstr("random g ~ normal(0, 1):"));
  EXPECT_THAT(said_at("random g ~ normal(0, 1): g <= 1", "                         ^"),
              HasSubstr("take its mean E[...]"));
  EXPECT_THAT(said_at("let a = g^2: random g ~ normal(0, 1): a <= 1", "                                      ^"),
              HasSubstr("'a' uses 'g', which is random"));
  EXPECT_THAT(said_at("random g ~ normal(0, 1): E[g > 1] <= 1", "                             ^"),
              HasSubstr("P[...] is the probability"));
  EXPECT_THAT(said_at("random g ~ normal(0, 1): P[g] <= 1", "                         ^"),
              HasSubstr("takes a relation"));
  EXPECT_THAT(said_at("random g ~ normal(0, 1): E[g + E[g]] <= 1", "                               ^"),
              HasSubstr("do not stand inside one another"));
}

TEST(Problems, RemaindersAreAFunction) {
  EXPECT_THAT(said_at("forall n in 1..9: n mod 2 <= 1", "                    ^"), HasSubstr("write mod(n, 2)"));
  EXPECT_THAT(said_at("forall n in 1..9: n % 2 <= 1", "                    ^"), HasSubstr("write mod(n, 2)"));
}

TEST(Problems, DefinitionsAndRecursions) {
  EXPECT_THAT(said_at("let a = b, b = c, c = a: a = 1", "                  ^"), HasSubstr("go round in a circle"));
  EXPECT_THAT(said_at("let f(x) = f(x - 1): f(2) = 1", "    ^"), HasSubstr("go round in a circle"));
  EXPECT_THAT(said_at("let a = K(2): a = 1 where K(0) = 1, K(l + 1) = a*K(l)", "                          ^"),
              HasSubstr("go round in a circle"));
  EXPECT_THAT(said_at("K(3) = 2 where K(0) = 1", "               ^"), HasSubstr("K has no step"));
  EXPECT_THAT(said_at("K(3) = 2 where K(l + 1) = K(l)", "               ^"), HasSubstr("needs one start and has 0"));
  EXPECT_THAT(said_at("K(3) = 2 where K(0) = 1, K(l) = K(l + 1)", "                                ^"),
              HasSubstr("only earlier ones are known"));
  EXPECT_THAT(said_at("K(3) = 2 where K(0) = 1, K(l + 1) = K(2*l)", "                                    ^"),
              HasSubstr("earlier values at l, l + 1, ... only"));
  EXPECT_THAT(said_at("K(3) = 2 where K(0) = 1, K(2*l) = K(l)", "                            ^"),
              HasSubstr("by a step"));
}

TEST(Problems, TextsThatAreNone) {
  EXPECT_THAT(said("", 1, 1), HasSubstr("the statement is empty"));
  EXPECT_THAT(said(" \n\t ", 1, 1), HasSubstr("the statement is empty"));
  EXPECT_THAT(said("# only a comment", 1, 1), HasSubstr("the statement is empty"));
  EXPECT_THAT(said("forall x in R:\n", 1, 15), HasSubstr("the statement ends where the claim is expected"));
  EXPECT_THAT(said("forall x\xff in R: x <= 1", 1, 9), HasSubstr("not UTF-8"));
  EXPECT_THAT(said("x <= \xc0\xaf", 1, 6), HasSubstr("not UTF-8"));
  EXPECT_THAT(said(std::string("x <= \0 1", 8), 1, 6), HasSubstr("control character"));
  EXPECT_THAT(said("forall x in R: x <= attention(\"softmax", 1, 39), HasSubstr("quotation mark"));
}

TEST(Problems, DepthAndLengthAreLimited) {
  const std::string deep = std::string(60'000, '(') + "1";
  EXPECT_THAT(said(deep, 1, deepest_brackets + 1), HasSubstr("nested more than 100 deep"));
  EXPECT_THAT(said(std::string(100'000, '('), 1, 1), HasSubstr("longer than 65536 bytes"));
  EXPECT_THAT(said("1 <= " + std::string(60'000, '-') + "1 + x", 1, 60'010), HasSubstr("'x' is not bound"));
  EXPECT_THAT(said("1 <= " + std::string(60'000, '-') + "pi", 1, 6), HasSubstr("nested more than 400 deep"));
  std::string powers = "1 <= 2";
  for (int i = 0; i < 20'000; ++i) powers += "^2";
  EXPECT_THAT(said(powers, 1, 6 + 2 * 599), HasSubstr("nested more than 400 deep"));
  std::string terms = "1 <= 2";
  for (int i = 0; i < 20'000; ++i) terms += "+2";
  EXPECT_THAT(said(terms, 1, 7 + 2 * 399), HasSubstr("nested more than 400 deep"));
  std::string nots;
  for (int i = 0; i < 15'000; ++i) nots += "not ";
  EXPECT_THAT(said(nots + "1 < 2", 1, 1 + 4 * 600), HasSubstr("nested more than 400 deep"));
}

}  // namespace
}  // namespace attest::language
