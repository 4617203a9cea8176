// Linear attention: a kernel of feature maps instead of the softmax, in time and memory linear in the tokens.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

struct LinearOptions {
  double epsilon = 1e-6;                ///< added to the denominator, above 0
  bool causal = false;                  ///< query i sees keys 0..i, by running sums
  std::vector<Index> key_lengths = {};  ///< [B]: keys 0..length-1 are real; empty: all are
  unsigned threads = 0;                 ///< 0: one per core; results have the same bits for any number
};

template <typename T>
struct LinearAttended {
  Tensor<T> out;               ///< [B][H][N_q][D_v]
  Tensor<double> state;        ///< [B][H][D][D_v + 1]: sum_j phi(k_j) [v_j, 1]; absent when causal
  Tensor<double> denominator;  ///< [B][H][N_q], epsilon included
};

/// out_i = sum_j phi(q_i).phi(k_j) v_j / (sum_j phi(q_i).phi(k_j) + epsilon), phi(x) = elu(x) + 1 entry by entry
/// (Katharopoulos et al. 2020; "A Primal-Dual Framework for Transformers and Neural Networks", Section 2.2.1). No
/// scale. A query without keys gets zeros. Time O((N_q + N_k) D D_v) per head, memory O(D D_v + N_q D_v) beyond input
/// and output. Sums are in double for both types. Errors: std::invalid_argument when epsilon is not above 0.
/// Precondition: extents fit. T is float or double.
template <typename T>
LinearAttended<T> linear_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const LinearOptions& options);

template <typename T>
struct LinearGradients {
  Tensor<T> q, k, v;
};

/// Gradients of sum(out * dout).
template <typename T>
LinearGradients<T> linear_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                          const LinearOptions& options, const LinearAttended<T>& attended,
                                          const Tensor<T>& dout);

}  // namespace attest::attention
