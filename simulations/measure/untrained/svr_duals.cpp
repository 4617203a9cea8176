#include "simulations/measure/untrained/svr_duals.hpp"

#include <cmath>

#include "kernels/svr/solver.hpp"

namespace attest::measure {

AttentionKernel attention_kernel(const Eigen::MatrixXd& keys) {
  Eigen::MatrixXd logits = keys * keys.transpose() / std::sqrt(static_cast<double>(keys.cols()));
  logits = ((logits + logits.transpose()) / 2).eval();  // symmetric to the bit, as the solver asks
  AttentionKernel kernel;
  kernel.gram = logits.array().exp().matrix();
  kernel.normaliser = kernel.gram.rowwise().sum();
  for (Eigen::Index i = 0; i < logits.rows(); ++i) {
    for (Eigen::Index j = 0; j < logits.cols(); ++j) kernel.gram(i, j) /= kernel.normaliser[i] * kernel.normaliser[j];
  }
  return kernel;
}

std::optional<DualShares> solve_shares(const AttentionKernel& kernel, const Eigen::VectorXd& targets, double epsilon,
                                       double box) {
  const auto n = static_cast<std::size_t>(targets.size());
  svr::Problem problem{svr::Gram::dense(n, {kernel.gram.data(), kernel.gram.data() + kernel.gram.size()}),
                       {targets.begin(), targets.end()},
                       epsilon,
                       box,
                       false};
  const svr::Solution solution = svr::solve(problem);
  if (solution.status != svr::Status::converged || !(std::abs(solution.dual) > 0)) return std::nullopt;
  DualShares result;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::abs(solution.beta[i]) >= box) result.at_bound += 1;
    if (solution.beta[i] == 0) result.zero += 1;
    squares += (solution.fitted[i] - problem.targets[i]) * (solution.fitted[i] - problem.targets[i]);
  }
  result.at_bound /= static_cast<double>(n);
  result.zero /= static_cast<double>(n);
  result.gap = solution.gap / std::abs(solution.dual);
  result.error = std::sqrt(squares / static_cast<double>(n));
  return result;
}

}  // namespace attest::measure
