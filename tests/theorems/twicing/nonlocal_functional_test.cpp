#include "theorems/twicing/nonlocal_functional.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::twicing {
namespace {

using testing::ElementsAre;

const std::array<double, 2> step{1, 0};
const std::array<double, 4> weights{5, 1, 2, 7};  // w(1, 2) = 1, w(2, 1) = 2

TEST(NonlocalFunctional, counts_every_pair_in_both_orders) {
  const Signal<double> u(step, 1);
  const Weights<double> w(weights, 2);
  EXPECT_EQ(nonlocal_functional(u, w), 0.5 * (1 + 2));
  EXPECT_EQ(nonlocal_functional(Signal<double>(step, 2), Weights<double>(std::array<double, 1>{3}, 1)), 0)
      << "one point of width two";
}

TEST(NonlocalFunctional, has_the_gradient_of_the_symmetrised_weights) {
  const Signal<double> u(step, 1);
  const Weights<double> w(weights, 2);
  const auto functional = [&](const Signal<double>& at) { return nonlocal_functional(at, w); };
  EXPECT_THAT(functional_derivative(functional, u), ElementsAre(3, -3));
  EXPECT_THAT(weighted_differences(u, symmetrised(w)), ElementsAre(3, -3));
  EXPECT_THAT(weighted_differences(u, w), ElementsAre(1, -2)) << "what Eq 6 prints";
}

TEST(NonlocalFunctional, averages_with_rows_that_sum_to_one) {
  const Weights<double> a = row_stochastic(Weights<double>(std::array<double, 4>{3, 1, 1, 1}, 2));
  EXPECT_THAT(a.values, ElementsAre(0.75, 0.25, 0.5, 0.5));
  EXPECT_THAT(applied(a, Signal<double>(step, 1)).values, ElementsAre(0.75, 0.5));
}

TEST(NonlocalFunctional, divides_logits_by_the_root_of_the_width) {
  const std::array<double, 4> q{2, 0, 0, 2};
  const auto w = exponential_weights(Signal<rigor::Ball>(q, 4), Signal<rigor::Ball>(q, 4));
  EXPECT_TRUE(overlaps(w(0, 0), rigor::exp(rigor::Ball(4))));
}

}  // namespace
}  // namespace attest::twicing
