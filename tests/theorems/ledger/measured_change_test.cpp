// The size of a near-miss, from its text beside the statement's.
#include "theorems/ledger/measured_change.hpp"

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::ledger {
namespace {

// A quotient near 1 and its difference from 1: one rounding each, of decimals that are rounded themselves.
constexpr double rounding = 4 * tests::unit_roundoff;

struct Change {
  const char* what;
  const char* text;
  const char* changed;
  double size = 1;
};

TEST(MeasuredChange, IsThatOfTheNumbersThatDiffer) {
  for (const Change& change : {
           Change{"a number in another's place", "forall x in R: x <= 2*x", "forall x in R: x <= 1.998*x", 0.001},
           {"an exponent in another's place", "x^2 <= 1..9", "x^2.02 <= 1..9", 0.01},
           {"another line", "[0, 2]: 1e-3 <= x", "[0, 2.002]: 1e-3\n  <= x", 0.001},
           {"the larger of two", "2*x + 3", "2.02*x + 3.3", 0.1},
           {"a factor before", "f <= osc(V)", "f <= 0.999*osc(V)", 0.001},
           {"a factor behind", "f <= osc(V)", "f <= osc(V)*1.01", 0.01},
           {"a factor between", "f <= x*y", "f <= x*0.99*y", 0.01},
           {"a factor before another", "f <= 2*x", "f <= 0.999*2*x", 0.001},
           {"a divisor", "f <= g", "f <= g/1.25", 0.2},
           {"an exponent", "f <= N", "f <= N^1.02", 0.02},
           {"a factor before a sum", "f = g + h", "f = 0.999*(g + h)", 0.001},
           {"a factor before a sum in brackets", "all(f(i) >= a*g + b*h)", "all(f(i) >= 0.99*(a*g + b*h))", 0.01},
           {"a factor before a product with a sum", "f = (g + h)*k", "f = 0.9*(g + h)*k", 0.1},
           {"two factors", "a > b and c > d", "a > 1.25*b and c > 1.125*d", 0.25},
           {"a number and a factor", "a > 2 and c > d", "a > 2.002 and c > 1.125*d", 0.125},
       })
    EXPECT_NEAR(measured_change(change.text, change.changed), change.size, rounding) << change.what;
}

TEST(MeasuredChange, IsOneWhereNothingHasASize) {
  for (const Change& change : {
           Change{"a relation", "x <= y", "x >= y"},
           {"nothing", "x <= y", "x <= y"},
           {"a number in the place of 0", "x <= 0", "x <= 0.1"},
           {"more than one", "x <= 1", "x <= 7"},
           {"a term", "x <= y", "x <= y + 0.1"},
           {"another formula", "x <= y", "x where y = 2: softmax(x) <= y"},
           {"no text", "", "2*"},
           {"a sum taken out of a product", "f = a + b*c", "f = 0.999*(a + b)*c"},
           {"a sum taken behind a minus", "f = a - b + c", "f = a - 0.999*(b + c)"},
           {"brackets alone", "f = a + b", "f = (a + b)"},
           {"a bracket left open", "f = a + b", "f = 0.999*(a + b"},
           {"a divisor made a factor", "f = a/b", "f = a/0.999*b"},
           {"an exponent made a factor", "f = a^b", "f = a^0.999*b"},
           {"another base", "f = a^b", "f = a*0.999^b"},
           {"a divisor with the exponent", "f = a^b", "f = a/1.001^b"},
           {"an exponent of the exponent", "f = a^b", "f = a^1.01^b"},
       })
    EXPECT_EQ(measured_change(change.text, change.changed), 1) << change.what;
}

}  // namespace
}  // namespace attest::ledger
