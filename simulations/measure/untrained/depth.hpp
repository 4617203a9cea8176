// How alike tokens become over depth, for each residual rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "kernels/residual/residual.hpp"
#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// One layer Y <- f(Y) + residual(Y) with f(Y) = A(Z) Z or, when `twicing`, (2A(Z) - A(Z)^2) Z; Z is Y, or Y with
/// every token normalised to mean 0 and variance 1 over its features when `normalised` (pre-norm). The residual is the
/// library's, the one that is judged and trained.
struct DepthRule {
  std::string name = {};
  std::optional<residual::ResidualRule> residual = {};  ///< none: f(Y) alone
  bool twicing = false;
  bool normalised = false;
};

/// What is left of the differences between tokens at one depth.
struct DepthState {
  double cosine = 0;  ///< mean cosine over all pairs of distinct tokens that are not zero
  double spread = 0;  ///< |Y - mean token| / |Y|, Frobenius: 0 when all tokens are equal
};

/// Mean cosine over pairs of distinct nonzero tokens. Errors: std::invalid_argument for fewer than two nonzero tokens.
double mean_pairwise_cosine(const Eigen::MatrixXd& tokens);

/// The states of layers 0..depth of the rule started at `tokens`, with W_Q = W_K = W_V = I and logits over sqrt(d).
/// Errors: std::invalid_argument when the tokens are not finite or, through mean_pairwise_cosine, vanish.
std::vector<DepthState> trace_depth(const Eigen::MatrixXd& tokens, const DepthRule& rule, int depth);

/// Cosine similarity over depth for no residual, the standard one, boosting and twicing, with and without
/// normalisation.
Measurement measure_depth(const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
