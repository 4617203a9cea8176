#include "simulations/training/adam.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "simulations/training/schedule.hpp"

namespace attest::training {
namespace {

struct Scalar {
  std::vector<float> w = {2}, g, m = {0}, v = {0};
  void step(const TrainingSpec& how, Index number, double rate, double decay, float gradient) {
    g = {gradient};
    adam_step(how, number, rate, decay, w, g, {m, v});
  }
};

/// The first step of Adam has the length of the rate, whatever the gradient's size.
TEST(Adam, first_step_is_the_rate_against_the_gradients_sign) {
  for (const float gradient : {1e-3F, 50.0F}) {
    Scalar x;
    x.step({}, 1, 0.1, 0, gradient);
    EXPECT_NEAR(x.w[0], 1.9, 1e-5);
  }
}

TEST(Adam, second_step_is_that_of_the_published_recursion) {
  Scalar x;
  x.step({}, 1, 0.1, 0, 1);
  x.step({}, 2, 0.1, 0, -3);
  const double m = (0.9 * 0.1 + 0.1 * -3) / (1 - 0.81), v = (0.999 * 0.001 + 0.001 * 9) / (1 - 0.998001);
  EXPECT_NEAR(x.w[0], 1.9 - 0.1 * m / std::sqrt(v), 1e-5);
}

TEST(Adam, decays_beside_the_gradient_or_in_it) {
  Scalar decoupled, coupled;
  TrainingSpec adam;
  adam.optimiser = TrainingSpec::Optimiser::adam;
  decoupled.step({}, 1, 0.1, 0.5, 0);
  coupled.step(adam, 1, 0.1, 0.5, 0);
  EXPECT_NEAR(decoupled.w[0], 2 - 0.1 * 0.5 * 2, 1e-6);
  EXPECT_NEAR(coupled.w[0], 1.9, 1e-5);
}

TEST(LearningRate, rises_then_falls) {
  TrainingSpec how;
  how.steps = 110;
  how.warmup = 10;
  how.learning_rate = 1;
  how.final_learning_rate = 0.1;
  EXPECT_DOUBLE_EQ(learning_rate(how, 0), 1.0 / 11);
  EXPECT_DOUBLE_EQ(learning_rate(how, 10), 1);
  EXPECT_NEAR(learning_rate(how, 60), 0.55, 1e-12);
  EXPECT_NEAR(learning_rate(how, 35), 0.1 + 0.9 * 0.5 * (1 + std::sqrt(0.5)), 1e-12);
  how.schedule = TrainingSpec::Schedule::linear;
  EXPECT_NEAR(learning_rate(how, 35), 0.1 + 0.9 * 0.75, 1e-12);
  how.schedule = TrainingSpec::Schedule::constant;
  EXPECT_EQ(learning_rate(how, 109), 1);
}

}  // namespace
}  // namespace attest::training
