#include "kernels/svr/certificate.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/rigor/ball.hpp"

namespace attest::svr {
namespace {

// Toeplitz kernel exp(-|i - j|), positive definite by a wide margin, so that rounded entries still are.
Problem chain(std::size_t n, double epsilon, double box, bool with_bias) {
  std::vector<double> gram(n * n);
  std::vector<double> targets(n);
  for (std::size_t i = 0; i < n; ++i) {
    targets[i] = std::cos(1.7 * static_cast<double>(i));
    for (std::size_t j = 0; j < n; ++j) {
      gram[i * n + j] = std::exp(-std::abs(static_cast<double>(i) - static_cast<double>(j)));
    }
  }
  return {Gram::dense(n, gram), targets, epsilon, box, with_bias};
}

TEST(SvrCertificate, is_zero_at_an_exactly_known_optimum) {
  // beta = (y - epsilon)/k = (3 - 1)/2: every number is exact in binary.
  Problem problem{Gram::dense(1, {2.0}), {3.0}, 1.0, 10.0, false};
  const Certificate certificate = certify(problem, solve(problem));
  EXPECT_EQ(certificate.gap, 0.0);
  EXPECT_EQ(certificate.stationarity, 0.0);
  EXPECT_EQ(certificate.primal_upper, 1.0);
  EXPECT_EQ(certificate.dual_lower, 1.0);
}

TEST(SvrCertificate, proves_the_solver_optimal_to_rounding_for_every_form_of_the_problem) {
  for (const bool with_bias : {false, true}) {
    for (const double box : {0.1, 1.0, 20.0, hard_margin}) {
      for (const double epsilon : {0.0, 0.2}) {
        SCOPED_TRACE(testing::Message() << "bias " << with_bias << ", C " << box << ", epsilon " << epsilon);
        Problem problem = chain(20, epsilon, box, with_bias);
        const Solution solution = solve(problem);
        ASSERT_EQ(solution.status, Status::converged);
        const Certificate certificate = certify(problem, solution);
        EXPECT_LE(certificate.stationarity, 2e-13 * solution.scale);
        EXPECT_LE(certificate.violation, 2e-13 * solution.scale);
        EXPECT_LE(certificate.repair, 1e-13 * solution.scale);
        const double weight = std::isinf(box) ? 10.0 : box;  // |beta| stays below 10 here when nothing bounds it
        EXPECT_LE(certificate.gap, 20 * 2 * weight * 2e-13 * solution.scale);
        EXPECT_GE(certificate.primal_upper, certificate.dual_lower);
        EXPECT_NEAR(certificate.primal_upper, solution.dual, 1e-10 * (1 + solution.dual));
      }
    }
  }
}

TEST(SvrCertificate, bounds_the_distance_of_a_perturbed_point_from_the_optimum) {
  Problem problem = chain(12, 0.1, 1.0, true);
  const Solution optimum = solve(problem);
  Solution moved = optimum;
  moved.beta[3] += 1e-3;
  moved.beta[7] -= 1e-3;
  const Certificate certificate = certify(problem, moved);
  EXPECT_GT(certificate.gap, 1e-8);
  EXPECT_GE(certificate.primal_upper, optimum.dual);
  EXPECT_LE(certificate.dual_lower, optimum.primal);
  EXPECT_GE(certificate.gap, certificate.primal_upper - optimum.primal - 1e-12);
}

TEST(SvrCertificate, repairs_a_sum_that_is_not_zero_and_clips_to_the_box) {
  Problem problem = chain(3, 0.1, 1.0, true);
  Solution solution = solve(problem);
  solution.beta = {0.5, -0.25, -5.0};
  const Certificate certificate = certify(problem, solution);
  EXPECT_DOUBLE_EQ(certificate.repair, 0.75);
  EXPECT_GE(certificate.gap, 0.0);
  EXPECT_GE(certificate.primal_upper, certificate.dual_lower);
}

TEST(SvrCertificate, widens_with_the_balls_of_the_kernel) {
  Problem problem = chain(2, 0.1, 1.0, false);
  const Solution solution = solve(problem);
  std::vector<rigor::Ball> gram;
  for (const double centre : {1.0, std::exp(-1.0), std::exp(-1.0), 1.0}) {
    gram.push_back(rigor::Ball::hull(rigor::Ball(centre - 1e-6), rigor::Ball(centre + 1e-6)));
  }
  const Certificate wide = certify(gram, problem.targets, 0.1, 1.0, false, solution.beta, 0.0);
  EXPECT_GT(wide.gap, certify(problem, solution).gap);
  EXPECT_GT(wide.gap, 1e-7);
  EXPECT_THROW(certify(gram, problem.targets, 0.1, 1.0, false, std::vector<double>{0.0}, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::svr
