#include "kernels/random/laws.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace attest::random {
namespace {

const std::vector<Law>& all_laws() {
  static const std::vector<Law> laws = {Law::gaussian(),
                                        Law::rademacher(),
                                        Law::uniform(),
                                        Law::laplace(),
                                        Law::student_t(5),
                                        Law::student_t(10),
                                        Law::sparse_three_point(0.1),
                                        Law::sparse_three_point(1)};
  return laws;
}

// Each mean is within z standard errors with probability 1 - 1e-9 over all comparisons made here, by the normal
// approximation (40,000 draws); z is the quantile for 1e-9 shared equally among them, both tails.
double z_for(int comparisons) { return -normal_quantile(1e-9 / comparisons / 2); }

TEST(Law, has_mean_zero_and_variance_one) {
  constexpr int draws = 40'000;
  for (const Law& law : all_laws()) {
    Stream stream(17, stream_key("moments"), 0);
    std::vector<double> x(draws);
    fill(law, stream, x);
    double sum = 0;
    double sum2 = 0;
    for (const double value : x) {
      sum += value;
      sum2 += value * value;
    }
    const double z = z_for(2 * static_cast<int>(all_laws().size()));
    EXPECT_LE(std::fabs(sum / draws), z / std::sqrt(draws)) << name(law);
    // Var X^2 = E X^4 - 1; where that is 0 the second moment is exact up to the rounding of 40,000 additions.
    const double spread = std::sqrt((fourth_moment(law) - 1) / draws);
    EXPECT_LE(std::fabs(sum2 / draws - 1), z * spread + draws * 0x1p-53) << name(law);
  }
}

// For the laws with an eighth moment the fourth moment is checked too: Var X^4 = E X^8 - (E X^4)^2.
TEST(Law, has_the_stated_fourth_moment) {
  struct Case {
    Law law;
    double eighth_moment;
  };
  constexpr int draws = 200'000;
  // Student's t with nu = 10, scaled: E X^8 = 105 (nu-2)^4 / ((nu-2)(nu-4)(nu-6)(nu-8)) = 105 * 4096 / 384.
  const std::vector<Case> cases = {{Law::gaussian(), 105},
                                   {Law::uniform(), 9},
                                   {Law::laplace(), 40320.0 / 16},
                                   {Law::student_t(10), 1120},
                                   {Law::sparse_three_point(0.1), 1000}};
  for (const Case& c : cases) {
    Stream stream(18, stream_key("fourth"), 0);
    double sum4 = 0;
    for (int i = 0; i < draws; ++i) sum4 += std::pow(draw(c.law, stream), 4);
    const double m4 = fourth_moment(c.law);
    EXPECT_LE(std::fabs(sum4 / draws - m4), z_for(5) * std::sqrt((c.eighth_moment - m4 * m4) / draws)) << name(c.law);
  }
  EXPECT_EQ(fourth_moment(Law::student_t(4)), INFINITY);
}

// Kolmogorov-Smirnov distance: P(D > t) <= 2 exp(-2 n t^2) (Massart), at 1e-9.
TEST(Law, has_the_right_distribution_function) {
  constexpr int draws = 40'000;
  const double bound = std::sqrt(std::log(2 / 1e-9) / (2.0 * draws));
  const auto distance = [&](const Law& law, auto distribution) {
    Stream stream(19, stream_key("distribution"), 0);
    std::vector<double> x(draws);
    fill(law, stream, x);
    std::sort(x.begin(), x.end());
    double d = 0;
    for (int i = 0; i < draws; ++i) {
      const double f = distribution(x[static_cast<std::size_t>(i)]);
      d = std::max({d, f - static_cast<double>(i) / draws, static_cast<double>(i + 1) / draws - f});
    }
    return d;
  };
  EXPECT_LE(distance(Law::gaussian(), [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }), bound);
  EXPECT_LE(distance(Law::uniform(), [](double x) { return 0.5 + x / (2 * std::sqrt(3.0)); }), bound);
  EXPECT_LE(distance(Law::laplace(),
                     [](double x) {
                       const double tail = 0.5 * std::exp(-std::sqrt(2.0) * std::fabs(x));
                       return x < 0 ? tail : 1 - tail;
                     }),
            bound);
  // Student's t with 4 degrees of freedom has an algebraic distribution function: with t = x sqrt(2) and s = t /
  // sqrt(t^2
  // + 4), F = 1/2 + (3/4) s (1 - s^2/3).
  EXPECT_LE(distance(Law::student_t(4),
                     [](double x) {
                       const double t = x * std::sqrt(2.0);
                       const double s = t / std::sqrt(t * t + 4);
                       return 0.5 + 0.75 * s * (1 - s * s / 3);
                     }),
            bound);
  // The same test sees a law that is not the stated one: Laplace against the normal differs by more than the bound.
  EXPECT_GT(distance(Law::laplace(), [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }), bound);
}

TEST(Law, filling_is_drawing_one_by_one) {
  for (const Law& law : all_laws()) {
    Stream bulk(3, 4, 5);
    Stream single(3, 4, 5);
    std::vector<double> x(33);
    fill(law, bulk, x);
    for (const double value : x) EXPECT_EQ(value, draw(law, single)) << name(law);
    EXPECT_EQ(bulk.position(), 33U * static_cast<unsigned>(words_per_draw(law)));
    EXPECT_EQ(single.position(), bulk.position());
  }
}

TEST(Law, names_round_trip) {
  for (const Law& law : all_laws()) EXPECT_EQ(law_from_name(name(law)), law);
  EXPECT_EQ(law_from_name("student_t"), Law::student_t(5));
  for (const char* bad : {"", "normal", "student_t(", "student_t()", "student_t(2)", "student_t(5x)", "gaussian(1)",
                          "sparse_three_point(0)", "sparse_three_point(1.5)", "student_t(nan)"}) {
    EXPECT_THROW(law_from_name(bad), std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace attest::random
