#include <gtest/gtest.h>

#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

TEST(GenericCheck, an_input_of_another_length_is_refused) {
  const Inputs in{{"a", {1, 2, 3}}};
  EXPECT_THROW(values(in, "a", 4), std::invalid_argument);
  EXPECT_THROW(matrix<double>(in, "a", 2, 2), std::invalid_argument);
  EXPECT_EQ((matrix<double>(in, "a", 1, 3)(0, 2)), 3);
}

/// (x + y)^2 = x^2 + factor 2 x y + y^2, where x > `least`.
Check binomial(double factor, double least) {
  return generic_identity({{"x", 2, -2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const Real x(in["x"][0]);
                            const Real y(in["x"][1]);
                            return Pair<Real>{{(x + y) * (x + y)},
                                              {x * x + Real(2 * factor) * x * y + y * y},
                                              generic::positive(Real(x - Real(least)))};
                          },
                          {.scale = 4});
}

TEST(GenericCheck, one_formula_serves_the_doubles_and_the_balls) {
  const Context context{.seed = 1, .key = 7};
  EXPECT_EQ(judge(Kind::identity, binomial(1, -3).run(context)).verdict, Verdict::supported);
  EXPECT_EQ(judge(Kind::identity, binomial(1.001, -3).run(context)).verdict, Verdict::refuted);
}

TEST(GenericCheck, points_outside_the_assumptions_do_not_count) {
  const Context context{.seed = 1, .key = 7};
  EXPECT_EQ(judge(Kind::identity, binomial(1.001, 2.5).run(context)).verdict, Verdict::vacuous);
}

}  // namespace
}  // namespace attest::engine
