#include "theorems/boosting/denoising_step.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "tests/support/rounding.hpp"

namespace attest::boosting {
namespace {

using engine::Inputs;
using rigor::Ball;

// u = (10, 0), u_hat = (3, 4): alpha = 1/2, cosine 3/5; eta = (10, 0), eta_hat = (4, 0): gamma = 2/5, cosine 1.
// sigma(y + y_hat) / sigma(y) = |(13, 4)| / 14 = sqrt(185) / 14, which is below 1 although min(1/2, 3/5) > 2/5.
const Inputs& known() {
  static const Inputs inputs{{"u", {10, 0}}, {"u_hat", {3, 4}}, {"eta", {10, 0}}, {"eta_hat", {4, 0}}};
  return inputs;
}

TEST(DenoisingStep, has_the_known_sizes_and_angles) {
  const StepNumbers s = step_numbers(known());
  EXPECT_DOUBLE_EQ(s.alpha, 0.5);
  EXPECT_DOUBLE_EQ(s.gamma, 0.4);
  EXPECT_DOUBLE_EQ(s.signal_cosine, 0.6);
  EXPECT_DOUBLE_EQ(s.noise_cosine, 1);
  EXPECT_DOUBLE_EQ(s.residual_gain(), std::sqrt(185.0) / 14);
}

TEST(DenoisingStep, has_them_in_ball_arithmetic_too) {
  const StepBalls s(known());
  EXPECT_TRUE(overlaps(s.alpha(), Ball(0.5)));
  EXPECT_TRUE(overlaps(s.gamma(), Ball::from_rational(2, 5)));
  EXPECT_TRUE(overlaps(s.signal_cosine(), Ball::from_rational(3, 5)));
  EXPECT_TRUE(overlaps(s.residual_snr() / s.input_snr(), sqrt(Ball(185)) / 14));
  EXPECT_TRUE(overlaps(s.output_snr(), Ball::from_rational(5, 4)));
}

TEST(DenoisingStep, decides_the_hypothesis_of_proposition_3_1) {
  const StepBalls s(known());
  EXPECT_TRUE(s.hypothesis(Ball(0.5)));
  EXPECT_TRUE(s.hypothesis(Ball(0.59)));
  EXPECT_FALSE(s.hypothesis(Ball(0.61))) << "the cosine is 0.6";
  EXPECT_FALSE(s.hypothesis(Ball(0.39))) << "beta is below gamma = 0.4";
}

TEST(DenoisingStep, a_signal_or_noise_of_zero_is_not_admissible) {
  const Inputs no_signal{{"u", {0}}, {"u_hat", {1}}, {"eta", {1}}, {"eta_hat", {0}}};
  const Inputs no_noise{{"u", {1}}, {"u_hat", {1}}, {"eta", {0}}, {"eta_hat", {0}}};
  for (const Inputs& inputs : {no_signal, no_noise}) {
    EXPECT_TRUE(std::isnan(step_numbers(inputs).alpha));
    EXPECT_FALSE(StepBalls(inputs).is_proper());
    EXPECT_FALSE(StepBalls(inputs).hypothesis(Ball(0.5)));
  }
}

TEST(StepBox, tight_beta_is_certainly_below_the_cosine_and_within_a_hair_of_it) {
  int seen = 0;
  for (const int d : {1, 2, 8}) {
    const StepBox box = step_box(d, Beta::tight);
    for (std::uint64_t sample = 0; sample < 50; ++sample) {
      random::Stream stream(1, random::claim_key("step_box"), sample);
      std::vector<double> x;
      for (std::size_t i = 0; i + 1 < box.lower.size(); ++i) x.push_back(stream.uniform(box.lower[i], box.upper[i]));
      x.push_back(1);
      const Inputs inputs = box.decode(x);
      const double cosine = step_numbers(inputs).signal_cosine;
      if (cosine <= 0) continue;
      ++seen;
      EXPECT_TRUE(StepBalls(inputs).cosine_at_least(Ball(inputs.scalar("beta"))));
      EXPECT_NEAR(inputs.scalar("beta"), cosine, 2 * StepNumbers::edge + 2 * tests::unit_roundoff);
    }
  }
  EXPECT_GT(seen, 30);
}

}  // namespace
}  // namespace attest::boosting
