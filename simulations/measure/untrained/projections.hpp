// The projections of queries and keys that measurements apply to tokens.
#pragma once

#include <Eigen/Core>

#include "kernels/random/stream.hpp"

namespace attest::measure {

/// How queries and keys are made of tokens; random entries are normal with variance 1/d, so that a query is about as
/// long as its token.
enum class Projection {
  identity,     ///< W_Q = W_K = I
  shared,       ///< W_Q = W_K random: logits x_i . M x_j / sqrt(d) with M positive semidefinite
  symmetric,    ///< M = (G + G^T)/sqrt(2), G random: symmetric but indefinite
  independent,  ///< W_Q and W_K random and independent: M not symmetric
};
inline constexpr Projection projections[] = {Projection::identity, Projection::shared, Projection::symmetric,
                                             Projection::independent};
const char* name(Projection projection);

/// M = W_Q^T W_K, d x d, so that the logits of tokens X are X M X^T / sqrt(d).
Eigen::MatrixXd bilinear_form(Projection projection, Eigen::Index d, random::Stream& stream);

}  // namespace attest::measure
