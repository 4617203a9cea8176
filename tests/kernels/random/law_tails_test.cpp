#include "kernels/random/law_tails.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/law_words.hpp"

namespace attest::random {
namespace {

const std::vector<Law> laws = {Law::gaussian(), Law::rademacher(),   Law::uniform(),
                               Law::laplace(),  Law::student_t(3.5), Law::sparse_three_point(0.3)};

// The share of draws above a point, within six standard errors.
TEST(UpperTail, is_the_share_of_draws_above) {
  constexpr int count = 40'000;
  for (const Law& law : laws) {
    std::vector<double> x(count);
    Stream stream(41, claim_key("tails"), 0);
    fill(law, stream, x);
    for (const double at : {-1.2, -0.3, 0.0, 0.7, 1.5}) {
      double above = 0;
      for (const double value : x) above += value > at ? 1 : 0;
      const double share = upper_tail(law, at);
      EXPECT_LE(std::fabs(above / count - share), 6 * std::sqrt(share * (1 - share) / count)) << name(law) << ' ' << at;
    }
  }
}

TEST(UpperQuantile, undoes_the_tail) {
  for (const Law& law : {Law::gaussian(), Law::uniform(), Law::laplace(), Law::student_t(3.5)})
    for (const double share : {1e-250, 1e-12, 0.01, 0.5, 0.9})
      if (law.kind != LawKind::uniform || share > 1e-3) {
        EXPECT_NEAR(upper_tail(law, upper_quantile(law, share)) / share, 1, 1e-11) << name(law) << ' ' << share;
      }
  EXPECT_THROW(upper_quantile(Law::rademacher(), 0.5), std::invalid_argument);
}

TEST(LogMomentGenerating, is_half_the_square_for_small_arguments_and_a_sum_where_there_is_one) {
  for (const Law& law : laws)
    if (law.kind != LawKind::student_t) {
      // s^2/2 + (E X^4 - 3) s^4/24 + ...
      const double s = 1e-4, leading = s * s / 2 + (fourth_moment(law) - 3) * std::pow(s, 4) / 24;
      EXPECT_NEAR(log_moment_generating(law, s) / leading, 1, 1e-14) << name(law);
    }
  EXPECT_NEAR(log_moment_generating(Law::rademacher(), 2), std::log(std::cosh(2.0)), 1e-15);
  EXPECT_NEAR(log_moment_generating(Law::uniform(), 1), std::log(std::sinh(std::sqrt(3.0)) / std::sqrt(3.0)), 1e-15);
  EXPECT_NEAR(log_moment_generating(Law::uniform(), 0.28),
              std::log(std::sinh(0.28 * std::sqrt(3.0)) / (0.28 * std::sqrt(3.0))), 1e-15);
  EXPECT_NEAR(log_moment_generating(Law::sparse_three_point(0.3), 1),
              std::log(0.7 + 0.3 * std::cosh(1 / std::sqrt(0.3))), 1e-15);
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
