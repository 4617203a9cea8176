// Sets, homogeneous and linear equations one after the other, and what is judged on them.
#include "theorems/referee/question/met_equations.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/theorems/referee/quickly.hpp"

namespace attest::referee {
namespace {

/// Values within this many roundings of a smooth maximum are as good as it to a search led by gradients in doubles, and
/// its place is as far from it as their root.
constexpr double of_search = 64 * std::numeric_limits<double>::epsilon();

std::string met(const std::string& text) { return normal_form_by(with_equations_met, text); }

TEST(MetEquations, AHomogeneousOneAndALinearOneAreMetTogether) {
  EXPECT_EQ(met("forall x in R^4 where sum(x) = 0 and norm(x) = 1: max(x) <= 1"),
            "let x_scale = (1/norm(x_free))^1, x = x_free*x_scale, x_free = x_free_free - mean(x_free_free): "
            "forall x_free_free in R^4: max(x) <= 1 where norm(x_free) > 0");
  const auto both =
      with_equations_met(language::read_statement("forall x in R^4 where sum(x) = 0 and norm(x) = 1: max(x) <= 1"));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->names, std::vector<std::string>{"x"});
}

TEST(MetEquations, ASetIsEnoughWhereItSaysAll) {
  EXPECT_EQ(met("forall x in R^4 where norm(x) = 1: max(x) <= 1"), "");
  EXPECT_EQ(met("forall p in [0, 1]^4 where sum(p) = 1: max(p) <= 1"), "");
}

TEST(MetEquations, WhatIsSoughtIsNotSolvedFor) {
  for (const char* text : {"forall x in R: exists y in R where x + y = 1: y > 0",
                           "exists x in R where x + 1 = 2: x > 0", "limit n -> inf: (1 + 1/n)^n = e"})
    EXPECT_EQ(met(text), "") << text;
}

TEST(MetEquations, TheBestConstantIsFoundOnThem) {
  const Outcome circle = judged_quickly("best C in [0, 10]: forall x, y in R where x^2 + y^2 = 1: x + y <= C");
  ASSERT_TRUE(circle.best) << circle.reason;
  EXPECT_NEAR(circle.best->found, std::sqrt(2.0), of_search);
  ASSERT_TRUE(circle.best->witness);
  double x = 0;
  for (const NamedValue& value : circle.best->witness->values)
    if (value.name == "x") x = value.entries.at(0);
  EXPECT_NEAR(x, std::sqrt(0.5), std::sqrt(of_search));

  const Outcome centred =
      judged_quickly("best C in [0, 10]: forall n in 2..6, x in R^n where sum(x) = 0: max(x) <= C*norm(x)");
  ASSERT_TRUE(centred.best) << centred.reason;
  EXPECT_NEAR(centred.best->found, std::sqrt(5.0 / 6), of_search);
}

TEST(MetEquations, ARepairIsSaidInTheStatementsOwnWords) {
  for (const char* where : {"sum(x) = 0 and norm(x) = 1", "norm(x) = 1"}) {
    const std::string head = std::string("forall x in R^4 where ") + where + ": ";
    const Outcome fallen = judged_quickly(head + "max(x) <= 0.8", true);
    ASSERT_EQ(fallen.verdict, engine::Verdict::refuted) << where;
    ASSERT_TRUE(fallen.repair) << where;
    EXPECT_EQ(fallen.repair->statement.find("free"), std::string::npos) << fallen.repair->statement;
    EXPECT_NE(fallen.repair->statement.find("x in R^4 where"), std::string::npos) << fallen.repair->statement;
  }
}

}  // namespace
}  // namespace attest::referee
