// Moments over pieces of the laws, against their masses and known moments, and draws as series.
#include "theorems/referee/expectations/standard_series.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "theorems/referee/expectations/random_draws.hpp"

namespace attest::referee {
namespace {

using rigor::Ball;

TEST(StandardSeries, MomentsBeginWithTheMassAndTheFirstMoment) {
  for (const char* law : {"normal", "uniform", "exponential", "laplace"}) {
    for (const auto& [a, b] : {std::pair{0.0, 0.5}, std::pair{0.25, 0.375}, std::pair{0.5, 1.0}}) {
      const auto moments = standard_moments(law, a, b, 10);
      const Ball mass = standard_mass(law, Ball(a), Ball(b)), middle((a + b) / 2);
      EXPECT_TRUE(rigor::overlaps(moments[0], mass)) << law;
      EXPECT_TRUE(rigor::overlaps(moments[1], standard_moment(law, Ball(a), Ball(b)) - middle * mass)) << law;
      EXPECT_GT(moments[9].relative_accuracy_bits(), 100) << law;
    }
  }
}

TEST(StandardSeries, MomentsOfBothSidesMirrorEachOther) {
  for (const char* law : {"normal", "laplace"}) {
    const auto right = standard_moments(law, 0.5, 0.75, 6), left = standard_moments(law, -0.75, -0.5, 6);
    for (std::size_t k = 0; k < right.size(); ++k)
      EXPECT_TRUE(rigor::overlaps(left[k], k % 2 == 0 ? right[k] : -right[k])) << law << " " << k;
  }
}

TEST(StandardSeries, MomentsOfNarrowCellsFarOutStayWithinTheWidthAndTheMass) {
  const auto moments = standard_moments("normal", 12, 12 + 0x1p-20, 10);
  const Ball mass = standard_mass("normal", Ball(12), Ball(12 + 0x1p-20));
  for (std::size_t k = 1; k < moments.size(); ++k)
    EXPECT_LE(rigor::abs(moments[k]).upper(), 1.001 * mass.upper() * std::ldexp(1.0, -21 * static_cast<int>(k))) << k;
}

TEST(StandardSeries, DrawsAreLinearOrTheExponentialOfSuch) {
  const std::vector<Ball> arguments = {Ball(1), Ball(3)};
  const BallSeries normal = series_of_standard("normal", arguments, Ball(2));
  EXPECT_TRUE(normal.coefficient(0).contains(7.0));
  EXPECT_TRUE(normal.coefficient(1).contains(3.0));
  const BallSeries uniform = series_of_standard("uniform", arguments, Ball(0.5));
  EXPECT_TRUE(uniform.coefficient(0).contains(2.0));
  EXPECT_TRUE(uniform.coefficient(1).contains(2.0));
  const BallSeries lognormal = series_of_standard("lognormal", arguments, Ball(0));
  EXPECT_TRUE(rigor::overlaps(lognormal.coefficient(2), Ball::e() * Ball(9) / Ball(2)));
}

}  // namespace
}  // namespace attest::referee
