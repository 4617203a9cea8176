// Sinusoidal positions.
#pragma once

#include <Eigen/Core>

namespace attest::tokens {

/// p_{i,2t} = sin(i / T^(2t/d)), p_{i,2t+1} = cos(i / T^(2t/d)) for i = 0..n-1 and t = 0..d/2-1: n x d ("Revisiting
/// Transformers with Insights from Image Filtering and Boosting", Eq 2.5, T = 10000 there). Each row has |p_i|^2 = d/2.
/// Errors: std::invalid_argument when d is odd or either is not positive.
Eigen::MatrixXd sinusoidal_positions(Eigen::Index n, Eigen::Index d, double base = 10000);

}  // namespace attest::tokens
