#include "kernels/random/normal_quantile.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::random {
namespace {

using rigor::Ball;

// Phi(z) = (1 + erf(z / sqrt 2)) / 2 in ball arithmetic; the error in u, divided by the density, is the error in z.
TEST(NormalQuantile, inverts_the_distribution_function) {
  Stream stream(1, stream_key("normal"), 0);
  for (int i = 0; i < 20'000; ++i) {
    double u = i % 2 == 0 ? stream.uniform() : elementary::exponential(stream.uniform(-36, 0));
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
