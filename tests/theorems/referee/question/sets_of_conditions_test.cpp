// Equations of a vector's norm or sum are read as the sphere or the simplex, and nothing else is.
#include "theorems/referee/question/sets_of_conditions.hpp"

#include <string>

#include <gtest/gtest.h>

#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"

namespace attest::referee {
namespace {

std::string with_sets(const std::string& text) {
  return language::normal_form(with_sets_of_conditions(language::read_statement(text)));
}

TEST(SetsOfConditions, AUnitNormIsASphere) {
  const std::string sphere = "forall n in 2..8, x in sphere(n): max(x) <= 1";
  for (const char* condition : {"norm(x) = 1", "1 = norm(x)", "norm(x)^2 = 1", "dot(x, x) = 1"})
    EXPECT_EQ(with_sets(std::string("forall n in 2..8, x in R^n where ") + condition + ": max(x) <= 1"), sphere)
        << condition;
  EXPECT_EQ(with_sets("forall n in 2..8, x in R^n: max(x) <= 1 where norm(x) = 1"), sphere);
}

TEST(SetsOfConditions, NumbersFromZeroThatSumToOneAreASimplex) {
  const std::string simplex = "forall n in 2..8, p in simplex(n): max(p) <= 1";
  for (const char* bound : {"p in [0, 1]^n where sum(p) = 1", "p in [0, inf)^n where sum(p) = 1",
                            "p in [0, 1]^n where sum(i in 1..n: p[i]) = 1", "p in R^n where min(p) >= 0 and sum(p) = 1",
                            "p in R^n where sum(p) = 1 and p >= 0"})
    EXPECT_EQ(with_sets(std::string("forall n in 2..8, ") + bound + ": max(p) <= 1"), simplex) << bound;
}

TEST(SetsOfConditions, OtherConditionsAndVariablesStay) {
  EXPECT_EQ(with_sets("forall x, y in R^3 where norm(x) = 1 and dot(x, y) >= 0: norm(y) >= 0"),
            "forall x in sphere(3), y in R^3 where dot(x, y) >= 0: norm(y) >= 0");
  for (const char* text :
       {"forall x in R^3 where norm(x) <= 1: max(x) <= 1", "forall x in R^3 where sum(x) = 1: max(x) >= 1/3",
        "forall x in (0, 1)^3 where sum(x) = 1: max(x) < 1", "forall x in [0, 1/2]^3 where sum(x) = 1: max(x) <= 1/2",
        "forall x in R^3 where norm(x, 1) = 1: max(x) <= 1", "forall a in R where a^2 = 1: a <= 1"})
    EXPECT_EQ(with_sets(text), language::normal_form(language::read_statement(text))) << text;
}

TEST(SetsOfConditions, GiveWitnessesThatNoDoubleMeetsByChance) {
  JudgeOptions options;
  options.near_misses = false;
  EXPECT_EQ(judge("forall n in 2..8, x in R^n where norm(x) = 1: norm(x, 1) <= 0.99*sqrt(n)", options).verdict,
            engine::Verdict::refuted);
  EXPECT_TRUE(judge("forall n in 2..8, x in R^n where norm(x) = 1: norm(x, 1) <= sqrt(n)", options).stands());
  EXPECT_EQ(judge("exists x in R^3 where norm(x) = 1: norm(x, 1) >= 1.7", options).verdict, engine::Verdict::certified);
}

}  // namespace
}  // namespace attest::referee
