// Quantities at points where their values are known.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "kernels/quantities/quantity.hpp"

namespace attest::quantities {
namespace {

using Given = std::map<std::string, Value, std::less<>>;

std::vector<Outcome> at(const char* name, const Given& given, std::uint64_t budget = 1) {
  const Quantity& q = find_quantity(name);
  return evaluate(q, complete(q, given), {1, budget, 1});
}

TEST(Eigencapacity, is_what_the_integrals_give_for_small_n) {
  // int x^2 = 1/3; int (2x - x^2)^2 = 4/3 - 1 + 1/5.
  EXPECT_NEAR(at("eigencapacity", {{"n", 2.0}})[0].value, 1.0 / 3, 1e-14);
  EXPECT_NEAR(at("eigencapacity", {{"n", 2.0}})[1].value, 8.0 / 15, 1e-14);
  // int x (1-x) = 1/6; int (2x - x^2)(1 - x) = int (1 - y^2) y = 1/4.
  EXPECT_NEAR(at("eigencapacity", {{"n", 1.0}, {"s", 1.0}})[0].value, 1.0 / 6, 1e-14);
  EXPECT_NEAR(at("eigencapacity", {{"n", 1.0}, {"s", 1.0}})[1].value, 0.25, 1e-14);
}

TEST(Eigencapacity, reaches_its_limits_at_large_n) {
  const auto outcomes = at("eigencapacity", {{"n", 1e12}});
  EXPECT_NEAR(outcomes[0].value / outcomes[2].value, 1, 1e-11);
  EXPECT_NEAR(outcomes[1].value / outcomes[3].value, 1, 1e-11);
  EXPECT_NEAR(outcomes[3].value, std::sqrt(std::numbers::pi) / 2e6, 1e-18);
}

TEST(SmoothingPowers, twice_a_negative_eigenvalue_into_growth) {
  const auto outcomes = at("smoothing_powers", {{"x", -0.5}, {"n", 2.0}});
  EXPECT_DOUBLE_EQ(outcomes[0].value, 0.25);
  EXPECT_DOUBLE_EQ(outcomes[1].value, 1.25 * 1.25);
}

TEST(ResidualSnr, falls_below_one_where_the_noise_is_carried_through) {
  const auto outcomes = at("residual_snr", {{"alpha", 0.5}, {"beta", 0.5}, {"gamma", 0.4}, {"rho", 1.0}});
  EXPECT_DOUBLE_EQ(outcomes[0].value, std::sqrt(1.75) / 1.4);
  EXPECT_LT(outcomes[0].value, 1);
  EXPECT_DOUBLE_EQ(outcomes[0].value, outcomes[2].value);
}

TEST(SoftmaxPerturbation, approaches_its_limit) {
  const auto outcomes = at("softmax_perturbation", {{"N", 20000.0}, {"scale", 0.5}, {"sigma", 0.5}}, 60);
  // The limit's own relative error at this N is of order 1/sqrt(N), which the interval's width of 60 samples exceeds.
  EXPECT_NEAR(outcomes[0].value / outcomes[3].value, 1, 0.03);
  EXPECT_LT(outcomes[0].value, outcomes[2].value);
}

TEST(SoftmaxLipschitz, is_the_constant_of_equal_logits_at_scale_0) {
  const auto outcomes = at("softmax_lipschitz", {{"N", 8.0}, {"scale", 0.0}}, 4);
  EXPECT_NEAR(outcomes[0].value, 1.0 / 8, 1e-12);
}

TEST(SampledResidualSnr, approaches_the_formula_like_one_over_the_root_of_the_dimension) {
  for (const char* law : {"gaussian", "laplace", "student_t(6)", "sparse_three_point(0.2)"}) {
    const auto outcomes =
        at("sampled_residual_snr", {{"N", 40000.0}, {"law", law}, {"signal_law", law}, {"rho", 0.3}}, 200);
    EXPECT_DOUBLE_EQ(outcomes[3].value, std::sqrt(1.75 / (1 + 2 * 0.25 * 0.3 + 0.0625)));
    EXPECT_NEAR(outcomes[0].value / outcomes[3].value, 1, 0.01) << law;
    EXPECT_TRUE(outcomes[1].interval.contains(outcomes[4].value)) << law;
    EXPECT_EQ(outcomes[2].value, 0) << law;
  }
}

TEST(GrcGrid, agrees_with_the_closed_form_at_one_point) {
  const auto grid =
      at("grc_grid", {{"L_from", 0.25}, {"L_points", 1.0}, {"t_from", 0.75}, {"t_points", 1.0}, {"n", 50.0}});
  const auto ratio = at("grc_ratio", {{"L", 0.25}, {"t", 0.75}, {"n", 50.0}});
  // The sharp factor K_n/1 grows towards t/(t - L): the largest is at n = 50.
  EXPECT_NEAR(std::log10(grid[2].value), ratio[1].value + 50 * std::log10(1.25), 1e-13);
  EXPECT_EQ(grid[5].value, 50);
}

TEST(SoftmaxLipschitzSearch, climbs_to_one_half) {
  const auto outcomes = at("softmax_lipschitz_search", {{"N", 50.0}}, 4);
  EXPECT_LT(outcomes[0].value, 0.3);
  EXPECT_NEAR(outcomes[2].value, 0.5, 1e-6);
}

TEST(SmootherRisk, meets_its_limits_in_the_interior) {
  const auto grid = at("smoother_risk", {{"n", 1e6}, {"h", 0.02}, {"design", "grid"}});
  for (const auto& [value, limit] : {std::pair{0, 6}, std::pair{1, 8}, std::pair{3, 7}})
    EXPECT_NEAR(grid[static_cast<std::size_t>(value)].value / grid[static_cast<std::size_t>(limit)].value, 1, 0.01);
  const auto drawn = at("smoother_risk", {{"n", 1e5}, {"h", 0.1}, {"kernel", "epanechnikov"}}, 100);
  EXPECT_TRUE(drawn[0].interval.contains(drawn[6].value));
  EXPECT_NEAR(drawn[1].value / drawn[8].value, 1, 0.01);
}

TEST(ScaledHeads, follow_the_law_of_multiply_adds) {
  const auto outcomes = at("scaled_heads_cost", {{"N", 4096.0}, {"D", 64.0}, {"f", 2.0}});
  // 23.9 percent of the multiply-adds are saved; operations that are none move it by a few points at most.
  EXPECT_NEAR(outcomes[4].value, 1 - 0.25 * (4096 + 64) / (4096 + 4 * 64.0), 1e-15);
  EXPECT_NEAR(outcomes[0].value, outcomes[4].value, 0.03);
  EXPECT_DOUBLE_EQ(at("scaled_heads_cost", {{"s", 1.0}})[0].value, 1);
}

TEST(TwicingSpectrum, is_stable_for_a_positive_semidefinite_kernel_and_not_for_a_peaked_map) {
  const auto kernel = at("twicing_spectrum", {{"family", "gaussian_kernel"}, {"N", 12.0}}, 8);
  EXPECT_EQ(kernel[2].value, 0);
  EXPECT_LE(kernel[0].value, kernel[1].value);
  const auto peaked = at("twicing_spectrum", {{"family", "peaked"}, {"N", 12.0}}, 8);
  EXPECT_GT(peaked[2].value, 0.5);
}

TEST(KernelConsensus, takes_the_square_of_the_steps_less_when_not_twiced) {
  const auto outcomes = at("kernel_consensus", {{"N", 60.0}, {"n", 1e9}}, 1);
  const double gap = 1 - outcomes[2].value;
  // Beside n log10(1/mu) only the digits by which V has less than all of its energy there: of 60 eigenvectors about
  // 0.9, and more than 2 with probability 1e-4.
  EXPECT_NEAR(outcomes[0].value + 1e9 * std::log10(1 - gap), 1, 1);
  EXPECT_NEAR(outcomes[1].value + 1e9 * std::log1p(-gap * gap) / std::log(10.0), 1, 1);
}

TEST(SvrDual, is_solved_to_its_gap_and_has_fewer_support_vectors_in_a_wider_tube) {
  const auto narrow = at("svr_dual", {{"N", 200.0}, {"epsilon", 0.05}}, 4),
             wide = at("svr_dual", {{"N", 200.0}, {"epsilon", 0.3}}, 4);
  EXPECT_LT(wide[0].value, narrow[0].value);
  EXPECT_LT(narrow[3].value, 1e-4);
  EXPECT_LT(narrow[2].value, 0.1);
}

TEST(ConsensusDistance, shrinks_more_slowly_twiced_for_a_kernel) {
  const auto outcomes = at("consensus_distance", {{"family", "gaussian_kernel"}, {"n", 16.0}}, 8);
  EXPECT_LT(outcomes[0].value, outcomes[1].value);
  EXPECT_LE(outcomes[1].value, 0);
}

TEST(SmootherBias, has_order_two_plain_and_four_twiced_on_a_uniform_design) {
  const auto wide = at("smoother_bias", {{"h", 0.04}}), narrow = at("smoother_bias", {{"h", 0.02}});
  EXPECT_NEAR(std::log2(wide[0].value / narrow[0].value), 2, 0.01);
  EXPECT_NEAR(std::log2(wide[1].value / narrow[1].value), 4, 0.01);
}

}  // namespace
}  // namespace attest::quantities
