// How far the token-position cross terms of the logits move the attention weights.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// The logits of one query i over keys j for tokens e, positions p and M = W_Q^T W_K, parted as in "Revisiting
/// Transformers with Insights from Image Filtering and Boosting", Section 3.3.
struct LogitRow {
  std::vector<double> content;  ///< c_j = (p_i . M p_j + e_i . M e_j)/sqrt(d)
  std::vector<double> cross;    ///< eta_j = (p_i . M e_j + e_i . M p_j)/sqrt(d)
};

/// Row `query` for tokens e and positions p, N x d each, and the form M, d x d.
LogitRow logit_row(const Eigen::MatrixXd& tokens, const Eigen::MatrixXd& positions, const Eigen::MatrixXd& form,
                   Eigen::Index query);

/// What the cross terms of one row are like, and what they do.
struct CrossTerms {
  double sigma = 0;            ///< sqrt(mean of eta_j^2): then sigma sqrt(N) = |eta|
  double offset = 0;           ///< |mean of eta_j| / sigma: 0 for zero-mean noise
  double autocorrelation = 0;  ///< correlation of eta_j and eta_{j+1}: 0 for independent noise
  double dependence = 0;       ///< correlation of eta_j and c_j
  double perturbation = 0;     ///< |softmax(c + eta) - softmax(c)|
  double shuffled = 0;         ///< the same after the eta_j have been put in random order
  double bound = 0;            ///< sigma/2 sqrt(N): softmax is 1/2-Lipschitz
  double local_bound = 0;      ///< |eta| times the norm of the Jacobian at c, exact for small eta
};

/// The numbers of one row; `shuffle_seed` and `sample` choose the random order. Correlations of constant vectors are 0.
/// Precondition: N >= 3.
CrossTerms cross_terms(const LogitRow& row, std::uint64_t shuffle_seed, std::uint64_t sample);

/// Perturbation by real cross terms against sigma/2 sqrt(N), over N.
Measurement measure_cross_terms(const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
