#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/elementary/logarithm.hpp"
#include "kernels/elementary/sine_cosine.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/rigor/ball.hpp"
#include "kernels/rigor/ball_functions.hpp"

namespace attest::elementary {
namespace {

using random::Stream;
using random::stream_key;
using rigor::Ball;

double error(double value, const Ball& truth) { return rigor::abs(Ball(value) - truth).upper(); }

TEST(Logarithm, is_as_accurate_as_documented) {
  Stream stream(1, stream_key("log"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double x = i % 2 == 0 ? stream.uniform() : exponential(stream.uniform(-600, 600));
    const double bound = x > 0.7 && x < 1.42 ? 0x1p-52 * std::fabs(x - 1) : 0x1p-51 * std::fabs(std::log(x));
    const double e = error(logarithm(x), rigor::log(Ball(x)));
    ASSERT_FALSE(!(e <= bound)) << std::hexfloat << x << ": error over bound " << e / bound;
  }
  EXPECT_EQ(logarithm(1.0), 0.0);
}

TEST(Exponential, is_as_accurate_as_documented) {
  Stream stream(1, stream_key("exp"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double x = i % 2 == 0 ? stream.uniform(-700, 700) : stream.uniform(-1, 1);
    const Ball truth = rigor::exp(Ball(x));
    const double e = (rigor::abs(Ball(exponential(x)) - truth) / truth).upper();
    ASSERT_FALSE(!(e <= 0x1p-51)) << std::hexfloat << x << ' ' << e;
  }
}

TEST(ExponentialMinusOne, keeps_its_relative_accuracy_near_zero) {
  Stream stream(1, stream_key("expm1"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double x = (i % 2 == 0 ? 1 : -1) * exponential(stream.uniform(-600, 6.5));
    const Ball truth = rigor::expm1(Ball(x));
    const double e = (rigor::abs(Ball(exponential_minus_one(x)) - truth) / rigor::abs(truth)).upper();
    ASSERT_FALSE(!(e <= 0x1p-50)) << std::hexfloat << x << ' ' << e;
  }
  EXPECT_EQ(exponential_minus_one(0.0), 0.0);
  EXPECT_EQ(exponential_minus_one(-HUGE_VAL), -1.0);
}

TEST(CirclePoint, is_as_accurate_as_documented) {
  Stream stream(1, stream_key("cos"), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double u = i < 9 ? std::clamp(i / 8.0, 0x1p-53, 1 - 0x1p-53) : stream.uniform();
    const Ball angle = Ball(2) * Ball::pi() * Ball(u);
    const double e =
        std::max(error(circle_point(u).cosine, rigor::cos(angle)), error(circle_point(u).sine, rigor::sin(angle)));
    ASSERT_FALSE(!(e <= 3 * 0x1p-53)) << std::hexfloat << u << ' ' << e;
  }
}

// Single precision against the double functions above, whose own errors are a billion times smaller.
TEST(SinglePrecision, is_as_accurate_as_documented) {
  Stream stream(1, stream_key("float"), 0);
  for (int i = 0; i < 200'000; ++i) {
    const auto x = static_cast<float>(stream.uniform(-87, 80)), near = static_cast<float>(exponential(0.2F * x));
    const double exact = std::expm1(double{near});
    const bool representable = near < 80;
    ASSERT_TRUE(!representable || std::fabs(exponential_minus_one(near) - exact) <= 0x1p-21 * exact) << near;
    const double log = std::log(double{near});
    ASSERT_LE(std::fabs(logarithm(near) - log),
              near > 0.7F && near < 1.42F ? 0x1p-22 * std::fabs(near - 1) : 3 * 0x1p-23 * std::fabs(log))
        << near;
    const auto u = static_cast<float>(stream.uniform());
    if (!(u > 0 && u < 1)) continue;
    ASSERT_LE(std::fabs(circle_point(u).cosine - circle_point(double{u}).cosine), 3 * 0x1p-24) << u;
    ASSERT_LE(std::fabs(circle_point(u).sine - circle_point(double{u}).sine), 3 * 0x1p-24) << u;
  }
}

}  // namespace
}  // namespace attest::elementary
