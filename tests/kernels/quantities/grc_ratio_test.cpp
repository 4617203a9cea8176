#include <cmath>

#include <gtest/gtest.h>

#include "kernels/quantity/quantity.hpp"
#include "tests/support/rounding.hpp"

namespace attest::quantities {
namespace {

using tests::unit_roundoff;

/// log10(K_n^GRC / K_n^RC) by the recurrence itself, layer by layer, rescaled so that it never overflows.
double log10_ratio_step_by_step(double lipschitz, double t, int n) {
  double boosted = lipschitz + 1, unit = 1, log_scale = 0;  // boosted = K_l / scale, unit = 1 / scale
  for (int l = 1; l < n; ++l) {
    boosted = (lipschitz + 1 - t) * boosted + t * unit;
    if (boosted > 1e100) {
      log_scale += std::log10(boosted);
      unit /= boosted;
      boosted = 1;
    }
  }
  return std::log10(boosted) + log_scale - n * std::log10(lipschitz + 1);
}

Outcomes at(double lipschitz, double t, double n) {
  const Quantity& q = find_quantity("grc_ratio");
  return evaluate(q, complete(q, {{"L", lipschitz}, {"t", t}, {"n", n}}), {});
}

TEST(GrcRatio, is_what_the_recurrence_gives_on_both_sides_of_L_equal_t) {
  for (const double lipschitz : {0.0, 0.25, 0.5, 1.0, 3.0})
    for (const double t : {0.0, 0.3, 0.5, 1.0})
      for (const int n : {1, 2, 7, 100, 3000}) {
        // Each of 2n operations errs by a unit of roundoff at most, as does n times a logarithm, on either side.
        const double tolerance = 8 * unit_roundoff * (1 + n * (1 + std::log10(lipschitz + 1)));
        EXPECT_NEAR(at(lipschitz, t, n).at("log10_ratio").value, log10_ratio_step_by_step(lipschitz, t, n), tolerance)
            << lipschitz << " " << t << " " << n;
      }
}

TEST(GrcRatio, approaches_the_sharp_factor_a_layer_and_not_the_printed_one_where_t_exceeds_L) {
  const auto outcomes = at(0.25, 0.75, 1e9);
  // K_n approaches t/(t - L) = 3/2, whose n-th root is left. Either side is a few roundings of numbers of at most 1: a
  // quotient, a power and a product here, the logarithm over n, an exponential and a quotient there; a power and an
  // exponential may err by two.
  constexpr double rounding = (1 + 2 + 1 + 1 + 2 + 1) * unit_roundoff;
  EXPECT_NEAR(outcomes.at("per_layer").value, outcomes.at("sharp").value * std::pow(1.5, 1e-9), rounding);
  EXPECT_GT(outcomes.at("sharp").value, outcomes.at("printed").value + 0.1);
}

TEST(GrcRatio, keeps_the_printed_law_up_to_a_constant_where_L_exceeds_t) {
  // The constant is L/(L - t). It is what is left of 1000 log10(3), with a few roundings of that.
  constexpr double n = 1000;
  EXPECT_NEAR(at(2, 0.5, n).at("log10_factor").value, std::log10(2 / 1.5), 6 * unit_roundoff * n * std::log10(3));
}

}  // namespace
}  // namespace attest::quantities
