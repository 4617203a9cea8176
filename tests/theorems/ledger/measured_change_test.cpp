// The size of a near-miss, from its text beside the statement's.
#include "theorems/ledger/measured_change.hpp"

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::ledger {
namespace {

// A quotient near 1 and its difference from 1: one rounding each, of decimals that are rounded themselves.
constexpr double rounding = 4 * tests::unit_roundoff;

TEST(MeasuredChange, IsThatOfTheNumberInAnothersPlace) {
  EXPECT_NEAR(measured_change("forall x in R: x <= 2*x", "forall x in R: x <= 1.998*x"), 0.001, rounding);
  EXPECT_NEAR(measured_change("x^2 <= 1..9", "x^2.02 <= 1..9"), 0.01, rounding);
  EXPECT_NEAR(measured_change("[0, 2]: 1e-3 <= x", "[0, 2.002]: 1e-3\n  <= x"), 0.001, rounding);
  EXPECT_NEAR(measured_change("2*x + 3", "2.02*x + 3.3"), 0.1, rounding);
}

TEST(MeasuredChange, IsThatOfAFactorMore) {
  EXPECT_NEAR(measured_change("f <= osc(V)", "f <= 0.999*osc(V)"), 0.001, rounding);
  EXPECT_NEAR(measured_change("f <= osc(V)", "f <= osc(V)*1.01"), 0.01, rounding);
  EXPECT_NEAR(measured_change("f <= x*y", "f <= x*0.99*y"), 0.01, rounding);
  EXPECT_NEAR(measured_change("f <= g", "f <= g/1.25"), 0.2, rounding);
  EXPECT_NEAR(measured_change("f <= 2*x", "f <= 0.999*2*x"), 0.001, rounding);
}

TEST(MeasuredChange, IsThatOfAnExponentMore) {
  EXPECT_NEAR(measured_change("f <= N", "f <= N^1.02"), 0.02, rounding);
  EXPECT_NEAR(measured_change("f <= N^2", "f <= N^2^1.02"), 0.02, rounding);
}

TEST(MeasuredChange, IsThatOfAFactorBeforeASum) {
  EXPECT_NEAR(measured_change("f = g + h", "f = 0.999*(g + h)"), 0.001, rounding);
  EXPECT_NEAR(measured_change("all(f(i) >= a*g + b*h)", "all(f(i) >= 0.99*(a*g + b*h))"), 0.01, rounding);
  EXPECT_NEAR(measured_change("f = (g + h)*k", "f = 0.9*(g + h)*k"), 0.1, rounding);
}

TEST(MeasuredChange, IsTheLargestOfSeveral) {
  EXPECT_NEAR(measured_change("a > b and c > d", "a > 1.25*b and c > 1.125*d"), 0.25, rounding);
  EXPECT_NEAR(measured_change("a > 2 and c > d", "a > 2.002 and c > 1.125*d"), 0.125, rounding);
}

TEST(MeasuredChange, IsOneWhereABracketChangesWhatIsMeant) {
  EXPECT_EQ(measured_change("f = a + b*c", "f = 0.999*(a + b)*c"), 1);
  EXPECT_EQ(measured_change("f = a - b + c", "f = a - 0.999*(b + c)"), 1);
  EXPECT_EQ(measured_change("f = a + b", "f = (a + b)"), 1);
  EXPECT_EQ(measured_change("f = a + b", "f = 0.999*(a + b"), 1);
}

TEST(MeasuredChange, IsOneWhereNothingHasASize) {
  EXPECT_EQ(measured_change("x <= y", "x >= y"), 1);
  EXPECT_EQ(measured_change("x <= y", "x <= y"), 1);
  EXPECT_EQ(measured_change("x <= 0", "x <= 0.1"), 1);
  EXPECT_EQ(measured_change("x <= 1", "x <= 7"), 1);
  EXPECT_EQ(measured_change("x <= y", "x <= y + 0.1"), 1);
  EXPECT_EQ(measured_change("x <= y", "x where y = 2: softmax(x) <= y"), 1);
  EXPECT_EQ(measured_change("", "2*"), 1);
}

}  // namespace
}  // namespace attest::ledger
