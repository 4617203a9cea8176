// Support vector regression on real keys: its dual variables against the values of attention.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// The regression that "A Primal-Dual Framework for Transformers", Eq 5 and Thm 1, derive attention from: samples k_j,
/// kernel exp(k_i . k_j / sqrt(D)) / (h(k_i) h(k_j)), h(k_i) = sum_l exp(k_i . k_l / sqrt(D)), no bias.
struct AttentionKernel {
  Eigen::MatrixXd gram;        ///< N x N
  Eigen::VectorXd normaliser;  ///< h(k_i)
};
AttentionKernel attention_kernel(const Eigen::MatrixXd& keys);

/// The solution of one output dimension, as shares of its N dual variables.
struct DualShares {
  double at_bound = 0;  ///< |alpha_j - alpha~_j| = C
  double zero = 0;      ///< alpha_j = alpha~_j = 0: no support vector
  double gap = 0;       ///< (primal - dual)/|dual| objective
  double error = 0;     ///< root mean square of f(k_j) - y_j
};

/// Solves the regression of `targets` (N) with tube half width epsilon and box C. Nothing when the solver does not
/// converge or the optimal objective is 0, so that no relative gap exists.
std::optional<DualShares> solve_shares(const AttentionKernel& kernel, const Eigen::VectorXd& targets, double epsilon,
                                       double box);

/// Dual variables of the regression that denoises tokens, for a range of C, and whether attention's values could be
/// such.
Measurement measure_svr(const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
