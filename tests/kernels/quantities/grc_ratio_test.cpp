#include <cmath>

#include <gtest/gtest.h>

#include "kernels/quantities/quantity.hpp"

namespace attest::quantities {
namespace {

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

std::vector<Outcome> at(double lipschitz, double t, double n) {
  const Quantity& q = find_quantity("grc_ratio");
  return evaluate(q, complete(q, {{"L", lipschitz}, {"t", t}, {"n", n}}), {});
}

TEST(GrcRatio, is_what_the_recurrence_gives_on_both_sides_of_L_equal_t) {
  for (const double lipschitz : {0.0, 0.25, 0.5, 1.0, 3.0})
    for (const double t : {0.0, 0.3, 0.5, 1.0})
      for (const int n : {1, 2, 7, 100, 3000}) {
        // Each of 2n operations errs by half a unit of roundoff, as does the logarithm's argument: 2n eps bounds both.
        const double tolerance = 1e-15 + 4 * n * 2.3e-16 * (1 + std::log10(lipschitz + 1));
        EXPECT_NEAR(at(lipschitz, t, n)[1].value, log10_ratio_step_by_step(lipschitz, t, n), tolerance)
            << lipschitz << " " << t << " " << n;
      }
}

TEST(GrcRatio, approaches_the_sharp_factor_a_layer_and_not_the_printed_one_where_t_exceeds_L) {
  const auto outcomes = at(0.25, 0.75, 1e9);
  EXPECT_NEAR(outcomes[0].value, outcomes[4].value, 1e-8);
  EXPECT_GT(outcomes[4].value, outcomes[3].value + 0.1);
}

TEST(GrcRatio, keeps_the_printed_law_up_to_a_constant_where_L_exceeds_t) {
  // The constant is L/(L - t).
  EXPECT_NEAR(at(2, 0.5, 1000)[2].value, std::log10(2 / 1.5), 1e-10);
}

}  // namespace
}  // namespace attest::quantities
