#include "simulations/training/update/adam.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "simulations/training/schedule.hpp"
#include "tests/support/rounding.hpp"

namespace attest::training {
namespace {

using tests::single_roundoff, tests::unit_roundoff;

constexpr double rate = 0.1;
// A step makes ten roundings of a relative change of the weight by the rate, and one of the new weight, which is
// below 2.
constexpr double rounding = (10 * rate + 2) * single_roundoff;
// A schedule makes at most eight roundings of numbers up to 1.
constexpr double schedule_rounding = 8 * unit_roundoff;

struct Scalar {
  std::vector<float> w = {2}, g, m = {0}, v = {0};
  void step(const TrainingSpec& how, Index number, double pace, double decay, float gradient) {
    g = {gradient};
    adam_step(how, number, pace, decay, w, g, {m, v});
  }
};

/// The first step of Adam has the length of the rate, whatever the gradient's size, but for epsilon.
TEST(Adam, first_step_is_the_rate_against_the_gradients_sign) {
  for (const float gradient : {1e-3F, 50.0F}) {
    Scalar x;
    x.step({}, 1, rate, 0, gradient);
    EXPECT_NEAR(x.w[0], 2 - rate * gradient / (gradient + TrainingSpec().epsilon), rounding);
  }
}

TEST(Adam, second_step_is_that_of_the_published_recursion) {
  Scalar x;
  x.step({}, 1, rate, 0, 1);
  x.step({}, 2, rate, 0, -3);
  const double m = (0.9 * 0.1 + 0.1 * -3) / (1 - 0.81), v = (0.999 * 0.001 + 0.001 * 9) / (1 - 0.998001);
  const double epsilon = TrainingSpec().epsilon;
  EXPECT_NEAR(x.w[0], 2 - rate / (1 + epsilon) - rate * m / (std::sqrt(v) + epsilon), 2 * rounding);
}

TEST(Adam, decays_beside_the_gradient_or_in_it) {
  Scalar decoupled, coupled;
  TrainingSpec adam;
  adam.optimiser = TrainingSpec::Optimiser::adam;
  decoupled.step({}, 1, rate, 0.5, 0);
  coupled.step(adam, 1, rate, 0.5, 0);
  EXPECT_NEAR(decoupled.w[0], 2 - rate * 0.5 * 2, rounding);
  EXPECT_NEAR(coupled.w[0], 2 - rate / (1 + adam.epsilon), rounding);
}

TEST(LearningRate, rises_then_falls) {
  TrainingSpec how;
  how.steps = 110;
  how.warmup = 10;
  how.learning_rate = 1;
  how.final_learning_rate = 0.1;
  EXPECT_DOUBLE_EQ(learning_rate(how, 0), 1.0 / 11);
  EXPECT_DOUBLE_EQ(learning_rate(how, 10), 1);
  EXPECT_NEAR(learning_rate(how, 60), 0.55, schedule_rounding);
  EXPECT_NEAR(learning_rate(how, 35), 0.1 + 0.9 * 0.5 * (1 + std::sqrt(0.5)), schedule_rounding);
  how.schedule = TrainingSpec::Schedule::linear;
  EXPECT_NEAR(learning_rate(how, 35), 0.1 + 0.9 * 0.75, schedule_rounding);
  how.schedule = TrainingSpec::Schedule::constant;
  EXPECT_EQ(learning_rate(how, 109), 1);
}

}  // namespace
}  // namespace attest::training
