// Agreement with libsvm, an implementation by other hands. Built only to a visible skip where libsvm is not installed.
#include <gtest/gtest.h>

#ifdef ATTEST_WITH_LIBSVM
#include <cmath>
#include <span>
#include <vector>

#include <svm.h>

#include "kernels/svr/solver.hpp"
#include "tests/support/rounding.hpp"

namespace attest::svr {
namespace {

struct Reference {
  std::vector<double> beta;
  double bias;
  double dual;
};

Reference solve_with_libsvm(Problem& problem, double stopping_violation) {
  const std::size_t n = problem.targets.size();
  // Precomputed kernel format: entry 0 holds the sample's number from 1, then the row of the kernel, then the end mark.
  std::vector<std::vector<svm_node>> rows(n);
  std::vector<svm_node*> row_pointers(n);
  for (std::size_t i = 0; i < n; ++i) {
    rows[i].push_back({0, static_cast<double>(i + 1)});
    for (std::size_t j = 0; j < n; ++j) rows[i].push_back({static_cast<int>(j + 1), problem.gram.column(j)[i]});
    rows[i].push_back({-1, 0.0});
    row_pointers[i] = rows[i].data();
  }
  svm_problem data{static_cast<int>(n), problem.targets.data(), row_pointers.data()};
  svm_parameter parameter{};
  parameter.svm_type = EPSILON_SVR;
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 10;
  parameter.eps = stopping_violation;
  parameter.C = problem.box;
  parameter.p = problem.epsilon;
  parameter.shrinking = 0;
  svm_set_print_string_function([](const char*) {});
  svm_model* model = svm_train(&data, &parameter);
  Reference reference{std::vector<double>(n, 0.0), -model->rho[0], 0.0};
  for (int s = 0; s < model->l; ++s) {
    reference.beta[static_cast<std::size_t>(model->SV[s][0].value) - 1] = model->sv_coef[0][s];
  }
  svm_free_and_destroy_model(&model);
  for (std::size_t i = 0; i < n; ++i) {
    double fitted = 0.0;
    for (std::size_t j = 0; j < n; ++j) fitted += problem.gram.column(j)[i] * reference.beta[j];
    const double beta = reference.beta[i];
    reference.dual += problem.targets[i] * beta - problem.epsilon * std::abs(beta) - beta * fitted / 2;
  }
  return reference;
}

TEST(SvrAgainstLibsvm, finds_the_same_optimum_of_the_problem_with_bias) {
  // A well conditioned kernel, so that beta itself is determined: exp(-|x - z|) on a line has eigenvalues well above 0.
  constexpr std::size_t n = 40;
  std::vector<double> gram(n * n);
  std::vector<double> targets(n);
  for (std::size_t i = 0; i < n; ++i) {
    targets[i] = std::sin(0.9 * static_cast<double>(i)) + 0.01 * static_cast<double>(i);
    for (std::size_t j = 0; j < n; ++j)
      gram[i * n + j] = std::exp(-std::abs(static_cast<double>(i) - static_cast<double>(j)));
  }
  constexpr double stopping_violation = 1e-9;
  for (const double box : {0.2, 1.0, 50.0}) {
    for (const double epsilon : {0.0, 0.1, 0.5}) {
      SCOPED_TRACE(testing::Message() << "C " << box << ", epsilon " << epsilon);
      Problem problem{Gram::dense(n, gram), targets, epsilon, box, true};
      const Solution ours = solve(problem);
      const Reference theirs = solve_with_libsvm(problem, stopping_violation);
      ASSERT_EQ(ours.status, Status::converged);
      // libsvm stops when the largest violation is below v; its dual then lies within n * 2C * v of the optimum.
      constexpr double of_sums = n * n * tests::unit_roundoff;
      EXPECT_LE(theirs.dual, ours.dual + of_sums * ours.primal);
      EXPECT_GE(theirs.dual, ours.dual - n * 2 * box * stopping_violation);
      // The dual is strongly concave with modulus lambda_min > tanh(1/2) (Toeplitz symbol), so |beta - beta'|^2 <=
      // 2 (difference of the duals) / lambda_min.
      const double radius = std::sqrt(2 * n * 2 * box * stopping_violation / std::tanh(0.5));
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(ours.beta[i], theirs.beta[i], radius);
    }
  }
}

}  // namespace
}  // namespace attest::svr

#else

TEST(SvrAgainstLibsvm, finds_the_same_optimum_of_the_problem_with_bias) {
  GTEST_SKIP() << "libsvm was not found at configure time (Debian: libsvm-dev), so nothing was compared";
}

#endif
