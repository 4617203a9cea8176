// What the tokens of a data set are like, against what the papers assume of tokens.
#pragma once

#include <Eigen/Core>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// Numbers of one sequence.
struct TokenStatistics {
  double length = 0;            ///< mean of |y_i|
  double length_variation = 0;  ///< standard deviation of |y_i| over its mean; 0 when |y_i| = c for all i
  double cosine = 0;            ///< mean cosine between distinct tokens
  double duplicates = 0;        ///< share of pairs of distinct tokens that are equal
  double position_cosine = 0;   ///< mean |cos(y_i, p_j)| over all tokens and sinusoidal positions
};

/// The statistics of tokens (N x d, d even). Errors: std::invalid_argument for fewer than two tokens that are not zero.
TokenStatistics token_statistics(const Eigen::MatrixXd& tokens);

/// Mean |cos| between two independent uniform directions of R^d: Gamma(d/2)/(sqrt(pi) Gamma((d+1)/2)).
double mean_cosine_of_random_directions(std::size_t d);

/// The tokens' statistics, with what the data set is in words.
Measurement measure_tokens(const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
