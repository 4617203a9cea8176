#include "kernels/random/elementary.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/random/normal_quantile.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::random {
namespace {

using rigor::Ball;

double error(double value, const Ball& truth) { return rigor::abs(Ball(value) - truth).upper(); }

TEST(LogPositive, is_as_accurate_as_documented) {
  Stream stream(1, claim_key("log"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double x = i % 2 == 0 ? stream.uniform() : exp_moderate(stream.uniform(-600, 600));
    const double bound = x > 0.7 && x < 1.42 ? 0x1p-52 * std::fabs(x - 1) : 0x1p-51 * std::fabs(std::log(x));
    const double e = error(log_positive(x), rigor::log(Ball(x)));
    ASSERT_FALSE(!(e <= bound)) << std::hexfloat << x << ": error over bound " << e / bound;
  }
  EXPECT_EQ(log_positive(1.0), 0.0);
}

TEST(ExpModerate, is_as_accurate_as_documented) {
  Stream stream(1, claim_key("exp"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double x = i % 2 == 0 ? stream.uniform(-700, 700) : stream.uniform(-1, 1);
    const Ball truth = rigor::exp(Ball(x));
    const double e = (rigor::abs(Ball(exp_moderate(x)) - truth) / truth).upper();
    ASSERT_FALSE(!(e <= 0x1p-51)) << std::hexfloat << x << ' ' << e;
  }
  EXPECT_EQ(exp_moderate(0.0), 1.0);
}

TEST(CosTwoPi, is_as_accurate_as_documented) {
  Stream stream(1, claim_key("cos"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double u = i < 9 ? std::clamp(i / 8.0, 0x1p-53, 1 - 0x1p-53) : stream.uniform();
    const double e = error(cos_two_pi(u), rigor::cos(Ball(2) * Ball::pi() * Ball(u)));
    ASSERT_FALSE(!(e <= 0x1p-52)) << std::hexfloat << u << ' ' << e;
  }
}

// Phi(z) = (1 + erf(z / sqrt 2)) / 2 in ball arithmetic; the error in u, divided by the density, is the error in z.
TEST(NormalQuantile, inverts_the_distribution_function) {
  Stream stream(1, claim_key("normal"), 0);
  for (int i = 0; i < 20'000; ++i) {
    double u = i % 2 == 0 ? stream.uniform() : exp_moderate(stream.uniform(-36, 0));
    if (i < 2) u = i == 0 ? 0x1p-53 : 1 - 0x1p-53;
    const double z = normal_quantile(u);
    const Ball root_half = rigor::sqrt(Ball(0.5));
    const Ball distribution = (Ball(1) + rigor::erf(Ball(z) * root_half)) / 2;
    const Ball density = rigor::exp(-rigor::square(Ball(z)) / 2) / rigor::sqrt(Ball(2) * Ball::pi());
    const double e = (rigor::abs(distribution - Ball(u)) / density).upper();
    ASSERT_FALSE(!(e <= 1e-15 * std::fabs(z))) << std::hexfloat << u << ' ' << z << ' ' << e;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

}  // namespace
}  // namespace attest::random
