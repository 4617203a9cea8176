// The mechanisms that statements are about, for checks written once over doubles and balls: in double precision the
// library's mechanism, in balls its formula.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/generic/small_matrix.hpp"

namespace attest::mechanisms {

using BallRows = generic::Matrix<rigor::Ball>;
using Rows = generic::Matrix<double>;

/// softmax(q k' / sqrt(D)) v; with `causal` over the keys 0..i of query i.
Rows softmax_attention(const Rows& q, const Rows& k, const Rows& v, bool causal = false);
BallRows softmax_attention(const BallRows& q, const BallRows& k, const BallRows& v, bool causal = false);

/// (A - I) v with the A of softmax attention.
Rows graph_diffusion(const Rows& q, const Rows& k, const Rows& v);
BallRows graph_diffusion(const BallRows& q, const BallRows& k, const BallRows& v);

/// softmax(qp_i . kp_j / h_p^2 + q_i . k_j / h_y^2) v: Eq 3.10 of "Revisiting Transformers with Insights from Image
/// Filtering and Boosting".
Rows bilateral_attention(const Rows& q, const Rows& k, const Rows& qp, const Rows& kp, const Rows& v,
                         double h_p_squared, double h_y_squared);
BallRows bilateral_attention(const BallRows& q, const BallRows& k, const BallRows& qp, const BallRows& kp,
                             const BallRows& v, const rigor::Ball& h_p_squared, const rigor::Ball& h_y_squared);

/// Y_(l+1) = f(Y_l) + t Y_0 + (1 - t) Y_l (its Eq 4.3) from f(Y_l), Y_0 and Y_l.
std::vector<double> boosted(double t, const std::vector<double>& output, const std::vector<double>& first,
                            const std::vector<double>& last);
/// Y_(l+1) = f(Y_l) + t Y_source (Definition 4.1) from f(Y_l) and Y_0, ..., Y_l.
std::vector<double> generalised(double t, std::size_t source, const std::vector<double>& output,
                                const std::vector<std::vector<double>>& states);

}  // namespace attest::mechanisms
