// Quantities at points where their values are known.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "kernels/quantity/quantity.hpp"
#include "tests/support/rounding.hpp"

namespace attest::quantities {
namespace {

using Given = std::map<std::string, Value, std::less<>>;

Outcomes at(const char* name, const Given& given, std::uint64_t budget = 1) {
  const Quantity& q = find_quantity(name);
  return evaluate(q, complete(q, given), {1, budget, 1});
}

using tests::unit_roundoff;

// Two values of the gamma function or a quotient of them, 16 roundings each, and a power or product.
constexpr double gamma_rounding = 34 * unit_roundoff;

void expect_relative(double value, double known, double error) { EXPECT_NEAR(value, known, error * std::fabs(known)); }

// Sampled at a finite size, whose own bias of order 1/N is far below what the samples leave open.
void expect_within_interval(const Outcome& sampled, double limit) {
  EXPECT_TRUE(sampled.interval.contains(limit))
      << limit << " is not in [" << sampled.interval.lower << ", " << sampled.interval.upper << ']';
}

TEST(Eigencapacity, is_what_the_integrals_give_for_small_n) {
  // int x^2 = 1/3; int (2x - x^2)^2 = 4/3 - 1 + 1/5.
  expect_relative(at("eigencapacity", {{"n", 2.0}}).at("plain").value, 1.0 / 3, gamma_rounding);
  expect_relative(at("eigencapacity", {{"n", 2.0}}).at("twiced").value, 8.0 / 15, gamma_rounding);
  // int x (1-x) = 1/6; int (2x - x^2)(1 - x) = int (1 - y^2) y = 1/4.
  expect_relative(at("eigencapacity", {{"n", 1.0}, {"s", 1.0}}).at("plain").value, 1.0 / 6, gamma_rounding);
  expect_relative(at("eigencapacity", {{"n", 1.0}, {"s", 1.0}}).at("twiced").value, 0.25, gamma_rounding);
}

TEST(Eigencapacity, reaches_its_limits_at_large_n) {
  constexpr double n = 1e12;
  const auto outcomes = at("eigencapacity", {{"n", n}});
  // Gamma(n+1)/Gamma(n+1+b) = n^-b (1 - b(b+1)/(2n) + ...) for b = 1 and 1/2.
  expect_relative(outcomes.at("plain").value, outcomes.at("plain_limit").value * (1 - 1 / n), gamma_rounding);
  expect_relative(outcomes.at("twiced").value, outcomes.at("twiced_limit").value * (1 - 0.375 / n), gamma_rounding);
  expect_relative(outcomes.at("twiced_limit").value, std::sqrt(std::numbers::pi) / 2e6, gamma_rounding);
}

TEST(SmoothingPowers, twice_a_negative_eigenvalue_into_growth) {
  const auto outcomes = at("smoothing_powers", {{"x", -0.5}, {"n", 2.0}});
  EXPECT_DOUBLE_EQ(outcomes.at("plain").value, 0.25);
  EXPECT_DOUBLE_EQ(outcomes.at("twiced").value, 1.25 * 1.25);
}

TEST(ResidualSnr, falls_below_one_where_the_noise_is_carried_through) {
  const auto outcomes = at("residual_snr", {{"alpha", 0.5}, {"beta", 0.5}, {"gamma", 0.4}, {"rho", 1.0}});
  EXPECT_DOUBLE_EQ(outcomes.at("gain").value, std::sqrt(1.75) / 1.4);
  EXPECT_LT(outcomes.at("gain").value, 1);
  EXPECT_DOUBLE_EQ(outcomes.at("gain").value, outcomes.at("printed").value);
}

TEST(SoftmaxPerturbation, approaches_its_limit) {
  const auto outcomes = at("softmax_perturbation", {{"N", 20000.0}, {"scale", 0.5}, {"sigma", 0.5}}, 60);
  expect_within_interval(outcomes.at("mean"), outcomes.at("limit").value);
  EXPECT_LT(outcomes.at("mean").value, outcomes.at("half").value);
}

TEST(SoftmaxLipschitz, is_the_constant_of_equal_logits_at_scale_0) {
  const auto outcomes = at("softmax_lipschitz", {{"N", 8.0}, {"scale", 0.0}}, 4);
  constexpr double secular_equation = 1e-13;  // as the quantity states
  expect_relative(outcomes.at("mean").value, 1.0 / 8, secular_equation);
}

TEST(SampledResidualSnr, approaches_the_formula_like_one_over_the_root_of_the_dimension) {
  for (const char* law : {"gaussian", "laplace", "student_t(6)", "sparse_three_point(0.2)"}) {
    const auto outcomes =
        at("sampled_residual_snr", {{"N", 40000.0}, {"law", law}, {"signal_law", law}, {"rho", 0.3}}, 200);
    EXPECT_DOUBLE_EQ(outcomes.at("limit").value, std::sqrt(1.75 / (1 + 2 * 0.25 * 0.3 + 0.0625)));
    SCOPED_TRACE(law);
    expect_within_interval(outcomes.at("gain"), outcomes.at("limit").value);
    EXPECT_TRUE(outcomes.at("spread").interval.contains(outcomes.at("spread_limit").value)) << law;
    EXPECT_EQ(outcomes.at("lost").value, 0) << law;
  }
}

TEST(GrcGrid, agrees_with_the_closed_form_at_one_point) {
  constexpr double n = 50;
  const auto grid =
      at("grc_grid", {{"L_from", 0.25}, {"L_points", 1.0}, {"t_from", 0.75}, {"t_points", 1.0}, {"n", n}});
  const auto ratio = at("grc_ratio", {{"L", 0.25}, {"t", 0.75}, {"n", n}});
  // The sharp factor K_n/1 grows towards t/(t - L): the largest is at n = 50. Four roundings of n log10(1.25), which is
  // taken off in the ratio and added here, beside the factor's own.
  const double known = ratio.at("log10_ratio").value + n * std::log10(1.25),
               rounding = 4 * unit_roundoff * n * std::log10(1.25);
  EXPECT_LE(std::log10(grid.at("largest").interval.lower), known + rounding);
  EXPECT_GE(std::log10(grid.at("largest").interval.upper), known - rounding);
  EXPECT_EQ(grid.at("largest_n").value, n);
}

TEST(SoftmaxLipschitzSearch, climbs_to_one_half) {
  const auto outcomes = at("softmax_lipschitz_search", {{"N", 50.0}}, 4);
  EXPECT_LT(outcomes.at("local").value, 0.3);
  // Away from 1/2 an ascent by the logits' move m gains at least m of what is missing; the search ends where it gains
  // less than 1e-12 of the norm, and never moves by less than 1e-6.
  constexpr double missing = 0.5 * 1e-12 / 1e-6;
  EXPECT_LE(outcomes.at("largest").value, 0.5 * (1 + 4 * unit_roundoff));
  EXPECT_GE(outcomes.at("largest").value, 0.5 - missing);
}

TEST(SmootherRisk, meets_its_limits_in_the_interior) {
  constexpr double n = 1e6, h = 0.02;
  const auto grid = at("smoother_risk", {{"n", n}, {"h", h}, {"design", "grid"}});
  // Of exp(-x^2/2) at 0 a gaussian kernel makes (1 + h^2)^(-1/2), of variance 2 h^2 in K*K: biases
  // -h^2/2 (1 - 3/4 h^2 + ...) and -3/4 h^4 (1 - 5/2 h^2 + ...), both alternating. The grid of n points in [-1, 1] has
  // the density n/2 up to 1/n.
  expect_relative(grid.at("bias").value, grid.at("bias_limit").value,
                  0.75 * h * h + grid.at("bias").interval.width() / grid.at("bias_limit").value);
  expect_relative(grid.at("twiced_bias").value, grid.at("twiced_bias_limit").value,
                  2.5 * h * h + grid.at("twiced_bias").interval.width() / grid.at("twiced_bias_limit").value);
  expect_relative(grid.at("variance").value, grid.at("variance_limit").value, 1 / n);
  const auto drawn = at("smoother_risk", {{"n", 1e5}, {"h", 0.1}, {"kernel", "epanechnikov"}}, 100);
  expect_within_interval(drawn.at("bias"), drawn.at("bias_limit").value);
  expect_within_interval(drawn.at("variance"), drawn.at("variance_limit").value);
}

TEST(ScaledHeads, follow_the_law_of_multiply_adds) {
  const auto outcomes = at("scaled_heads_cost", {{"N", 4096.0}, {"D", 64.0}, {"f", 2.0}});
  // 23.9 percent of the multiply-adds are saved. Of a pair's operations 6 are none, beside 2 (D/2 + D/2); of these at
  // most the pooled half is saved, a quarter in all.
  EXPECT_DOUBLE_EQ(outcomes.at("law").value, 1 - 0.25 * (4096 + 64) / (4096 + 4 * 64.0));
  constexpr double others = 6.0 / (2 * 64 + 6);
  EXPECT_NEAR(outcomes.at("inference_flops").value, outcomes.at("law").value, others * 0.25);
  EXPECT_DOUBLE_EQ(at("scaled_heads_cost", {{"s", 1.0}}).at("inference_flops").value, 1);
}

TEST(TwicingSpectrum, is_stable_for_a_positive_semidefinite_kernel_and_not_for_a_peaked_map) {
  const auto kernel = at("twicing_spectrum", {{"family", "gaussian_kernel"}, {"N", 12.0}}, 8);
  EXPECT_EQ(kernel.at("unstable").value, 0);
  EXPECT_LE(kernel.at("second").value, kernel.at("twiced").value);
  const auto peaked = at("twicing_spectrum", {{"family", "peaked"}, {"N", 12.0}}, 8);
  EXPECT_GT(peaked.at("unstable").value, 0.5);
}

TEST(KernelConsensus, takes_the_square_of_the_steps_less_when_not_twiced) {
  constexpr double n = 1e9;
  const auto outcomes = at("kernel_consensus", {{"N", 60.0}, {"n", n}}, 1);
  const double gap = 1 - outcomes.at("second").value;
  // Beside n log10(1/mu) only the digits by which V has less than all of its energy there, about 0.9 of 60
  // eigenvectors: none but for the rounding of mu n times, and more than 2 where a chi-square of 4 degrees of freedom
  // is below 60 * 4 * 1e-4, which has probability 7e-5.
  constexpr double fewest = -0x1p-20, most = 2;
  for (const double digits : {outcomes.at("plain").value + n * std::log10(1 - gap),
                              outcomes.at("twiced").value + n * std::log1p(-gap * gap) / std::log(10.0)}) {
    EXPECT_GE(digits, fewest);
    EXPECT_LE(digits, most);
  }
}

TEST(SvrDual, is_solved_to_its_gap_and_has_fewer_support_vectors_in_a_wider_tube) {
  const auto narrow = at("svr_dual", {{"N", 200.0}, {"epsilon", 0.05}}, 4),
             wide = at("svr_dual", {{"N", 200.0}, {"epsilon", 0.3}}, 4);
  EXPECT_LT(wide.at("support").value, narrow.at("support").value);
  // Each of N samples may be that far from optimal (the default), over a primal objective of about N E(|noise| -
  // 0.05)^+ = 8, of which a fit that follows the noise leaves a quarter at least.
  constexpr double optimal_within = 1e-6;
  EXPECT_LT(narrow.at("gap").value, 200 * optimal_within / (8 * 0.25));
  constexpr double noise = 0.1;  // the fit is closer to the truth than the targets are
  EXPECT_LT(narrow.at("error").value, noise);
}

TEST(ConsensusDistance, shrinks_more_slowly_twiced_for_a_kernel) {
  const auto outcomes = at("consensus_distance", {{"family", "gaussian_kernel"}, {"n", 16.0}}, 8);
  EXPECT_LT(outcomes.at("plain").value, outcomes.at("twiced").value);
  EXPECT_LE(outcomes.at("twiced").value, 0);
}

TEST(SmootherBias, has_order_two_plain_and_four_twiced_on_a_uniform_design) {
  // Of sin(2x) a gaussian kernel leaves exp(-y), y = 2 h^2: biases 1 - exp(-y) = y (1 - y/2 + ...) and its square.
  const auto wide = at("smoother_bias", {{"h", 0.04}}), narrow = at("smoother_bias", {{"h", 0.02}});
  const auto y = [](double h) { return 2 * h * h; };
  const double next = (y(0.04) - y(0.02)) / 2 / std::numbers::ln2;
  for (const bool twiced : {false, true}) {
    const Outcome at_wide = wide.at(twiced ? "twiced" : "plain"), at_narrow = narrow.at(twiced ? "twiced" : "plain");
    const double quadrature =
        (at_wide.interval.width() / at_wide.value + at_narrow.interval.width() / at_narrow.value) / std::numbers::ln2;
    const double power = twiced ? 2 : 1;
    EXPECT_NEAR(std::log2(at_wide.value / at_narrow.value), 2 * power, next * power + quadrature);
    EXPECT_LE(quadrature, next);
  }
}

}  // namespace
}  // namespace attest::quantities
