// The four parts of attention logits: tokens with tokens, tokens with positions, positions with tokens and with
// positions.
#pragma once

#include <Eigen/Core>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// [E; P] [E; P]^T / sqrt(d) for tokens E and positions P, N x d each: 2N x 2N, token-to-token above left, token-to-
/// position above right ("Revisiting Transformers with Insights from Image Filtering and Boosting", Figure 1, with
/// W_Q = W_K = I in place of a trained network's).
Eigen::MatrixXd correlation_logits(const Eigen::MatrixXd& tokens, const Eigen::MatrixXd& positions);

/// Covariance over the places i != j of two matrices of one size: where they come of independent sequences its mean is
/// the variance of what the place alone decides, the pattern. Precondition: N >= 2.
double covariance_over_places(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Adds to `measurement` the map of the mean logits over the sequences, and a table with the share of pattern in the
/// variance over places of each part.
void add_correlation_maps(Measurement& measurement, const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
