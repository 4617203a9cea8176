#include "kernels/random/law_tails.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/law_words.hpp"
#include "kernels/rigor/ball.hpp"
#include "tests/support/rounding.hpp"

namespace attest::random {
namespace {

const std::vector<Law> laws = {Law::gaussian(), Law::rademacher(),   Law::uniform(),
                               Law::laplace(),  Law::student_t(3.5), Law::sparse_three_point(0.3)};

// The share of draws above a point, within six standard errors.
TEST(UpperTail, is_the_share_of_draws_above) {
  constexpr int count = 40'000;
  for (const Law& law : laws) {
    std::vector<double> x(count);
    Stream stream(41, stream_key("tails"), 0);
    fill(law, stream, x);
    for (const double at : {-1.2, -0.3, 0.0, 0.7, 1.5}) {
      double above = 0;
      for (const double value : x) above += value > at ? 1 : 0;
      const double share = upper_tail(law, at);
      EXPECT_LE(std::fabs(above / count - share), 6 * std::sqrt(share * (1 - share) / count)) << name(law) << ' ' << at;
    }
  }
}

// The relative errors that the header promises.
constexpr double tail_error = 4e-13, quantile_error = 1e-12, uniform_error = 0x1p-51, log_moment_error = 1e-14;

TEST(UpperTail, is_as_exact_as_promised_down_to_the_least_normal_double) {
  using rigor::Ball;
  const rigor::PrecisionScope cancels(2400);  // 1 - erf loses the 1074 bits of the least double
  for (const double x : {-7.0, -0.3, 0.1, 1.7, 8.1, 26.3, 35.45, 37.4}) {
    const Ball exact = (Ball(1) - erf(Ball(x) / sqrt(Ball(2)))) / 2;
    EXPECT_LE(abs(Ball(upper_tail(Law::gaussian(), x)) / exact - 1).upper(), tail_error) << x;
  }
  for (const double x : {0.1, 3.3, 97.7, 482.474, 500.1}) {
    const Ball exact = exp(-Ball(x) * sqrt(Ball(2))) / 2;
    EXPECT_LE(abs(Ball(upper_tail(Law::laplace(), x)) / exact - 1).upper(), tail_error) << x;
  }
}

TEST(UpperQuantile, undoes_the_tail) {
  for (const double share : {1e-300, 1e-250, 1e-12, 0.01, 0.5, 0.9}) {
    for (const Law& law : {Law::gaussian(), Law::laplace(), Law::student_t(3.5)})
      EXPECT_NEAR(upper_tail(law, upper_quantile(law, share)) / share, 1, quantile_error) << name(law) << ' ' << share;
    EXPECT_NEAR(upper_tail(Law::uniform(), upper_quantile(Law::uniform(), share)), share, uniform_error);
  }
  EXPECT_THROW(upper_quantile(Law::rademacher(), 0.5), std::invalid_argument);
}

TEST(LogMomentGenerating, is_half_the_square_for_small_arguments_and_a_sum_where_there_is_one) {
  for (const Law& law : laws)
    if (law.kind != LawKind::student_t) {
      // s^2/2 + (E X^4 - 3) s^4/24 + ..., whose next term is of order s^4 = 1e-16 relative to the first.
      const double s = 1e-4, leading = s * s / 2 + (fourth_moment(law) - 3) * std::pow(s, 4) / 24;
      EXPECT_NEAR(log_moment_generating(law, s) / leading, 1, log_moment_error) << name(law);
    }
  // Two sides of at most four roundings each, of numbers below 2.
  constexpr double rounding = 8 * tests::unit_roundoff;
  EXPECT_NEAR(log_moment_generating(Law::rademacher(), 2), std::log(std::cosh(2.0)), rounding);
  EXPECT_NEAR(log_moment_generating(Law::uniform(), 1), std::log(std::sinh(std::sqrt(3.0)) / std::sqrt(3.0)), rounding);
  EXPECT_NEAR(log_moment_generating(Law::uniform(), 0.28),
              std::log(std::sinh(0.28 * std::sqrt(3.0)) / (0.28 * std::sqrt(3.0))), rounding);
  EXPECT_NEAR(log_moment_generating(Law::sparse_three_point(0.3), 1),
              std::log(0.7 + 0.3 * std::cosh(1 / std::sqrt(0.3))), rounding);
  EXPECT_EQ(log_moment_generating(Law::laplace(), 2), HUGE_VAL);
  EXPECT_EQ(log_moment_generating(Law::student_t(5), 0.1), HUGE_VAL);
}

TEST(DrawFromWords, makes_the_draws_of_a_stream) {
  for (const Law& law : laws) {
    Stream stream(42, 1, 2), words(42, 1, 2);
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t first = words.next_u64();
      const std::uint64_t second = words_per_draw(law) == 2 ? words.next_u64() : 0;
      EXPECT_EQ(draw_from_words(law, first, second), draw(law, stream)) << name(law);
    }
  }
}

}  // namespace
}  // namespace attest::random
