#include "theorems/probdr/wishart.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::probdr {
namespace {

/// Rounding of a dozen operations on numbers of order one.
constexpr double rounding = 64 * tests::unit_roundoff;  // of a few operations with numbers below 10

Matrix<double> one_by_one(double x) {
  Matrix<double> a(1, 1);
  a(0, 0) = x;
  return a;
}

TEST(Wishart, of_one_variable_is_chi_square) {
  // d = 2: the density of an exponential law of mean 2 v.
  EXPECT_NEAR(wishart_log_density(one_by_one(3), one_by_one(1), 2.0, std::numbers::pi), -1.5 - std::log(2), rounding);
  EXPECT_NEAR(wishart_log_density(one_by_one(3), one_by_one(5), 2.0, std::numbers::pi), -0.3 - std::log(10), rounding);
  // d = 4: s e^(-s/2)/4.
  EXPECT_NEAR(wishart_log_density(one_by_one(3), one_by_one(1), 4.0, std::numbers::pi), std::log(0.75) - 1.5, rounding);
}

TEST(Wishart, density_integrates_to_one_over_two_by_two_matrices) {
  // V = I, d = 4, S = [[a, c], [c, b]], c = r sqrt(ab), |r| < 1: int over (a, b, r) of the density times sqrt(ab).
  const auto total = [](double step) {
    double sum = 0;
    for (double a = step / 2; a < 40; a += step)
      for (double b = step / 2; b < 40; b += step)
        for (double r = -1 + step / 10; r < 1; r += step / 5) {
          Matrix<double> s(2, 2);
          const double c = r * std::sqrt(a * b);
          s.entries = {a, c, c, b};
          sum += std::exp(wishart_log_density(s, scaled_identity(2, 1.0), 4.0, std::numbers::pi)) * std::sqrt(a * b);
        }
    return sum * step * step * step / 5;
  };
  // The midpoint rule's error is of second order: a third of what halving the step changes, for which 0.4 is allowed.
  const double fine = total(0.5), error = 0.4 * std::abs(fine - total(1));
  EXPECT_NEAR(fine, 1, error);
  EXPECT_LT(error, 0.01);
}

TEST(Wishart, objective_at_a_point_worked_by_hand) {
  // L = [[1, -1], [-1, 1]], X = (1, 0)', beta = 1: Sigma = diag(2, 1), tr(L Sigma) = 3, log det = log 2.
  Matrix<double> l(2, 2);
  l.entries = {1, -1, -1, 1};
  Matrix<double> x(2, 1);
  x.entries = {1, 0};
  EXPECT_NEAR(objective(l, x, 1.0), 3 - std::log(2), rounding);
}

}  // namespace
}  // namespace attest::probdr
