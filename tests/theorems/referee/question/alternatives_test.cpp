// What exists among finitely many whole numbers after `forall` is written out, and judged with them.
#include "theorems/referee/question/alternatives.hpp"

#include <string>

#include <gtest/gtest.h>

#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"

namespace attest::referee {
namespace {

std::string written_out(const std::string& text) {
  return language::normal_form(with_alternatives(language::read_statement(text)));
}

engine::Verdict verdict(const std::string& text) {
  JudgeOptions options;
  options.budget = engine::parse_budget("quick");
  options.near_misses = false;
  return judge(text, options).verdict;
}

TEST(Alternatives, AWholeNumberThatExistsIsOneOfTheRange) {
  EXPECT_EQ(written_out("forall n in 1..9: exists k in 1..n where k > 1: k^2 >= n"),
            "forall n in 1..9: any(k in 1..n: k > 1 and k^2 >= n)");
  EXPECT_EQ(written_out("forall n in 1..9: exists a, b in 0..n: a^2 + b = n where b < 5, n > 2"),
            "forall n in 1..9: any(a in 0..n: any(b in 0..n: b < 5 and a^2 + b = n)) where n > 2");
}

TEST(Alternatives, OtherStatementsStay) {
  for (const char* text : {"exists k in 1..9: k^2 = 49", "forall x in R: exists y in R: y > x",
                           "forall n in 1..9: exists k in 1..n, x in R^k: norm(x) > n",
                           "let a = k^2: forall n in 1..9: exists k in 1..n: a >= n"})
    EXPECT_EQ(written_out(text), text);
}

TEST(Alternatives, AreJudgedCaseByCase) {
  using engine::Verdict;
  EXPECT_EQ(verdict("forall n in 2..60: exists p in 2..61 where all(d in 2..p-1: mod(p, d) > 0): n < p"),
            Verdict::certified);
  EXPECT_EQ(verdict("forall n in 1..60: exists a, b in 0..8: a^2 + b^2 = n"), Verdict::refuted) << "3";
  EXPECT_EQ(verdict("forall n in 2..9, x in R^n: exists k in 1..n: x[k] >= mean(x)"), Verdict::supported);
  EXPECT_EQ(verdict("forall n in 2..9, x in R^n: exists k in 1..n: x[k] >= 1.01*mean(abs(x))"), Verdict::refuted);
}

TEST(Alternatives, WhatDependsOnTheNumberIsRefusedInOneSentence) {
  EXPECT_THROW((void)verdict("forall n in 1..9: exists k in 1..n, x in R^k: norm(x) > n"), language::Problem);
}

}  // namespace
}  // namespace attest::referee
