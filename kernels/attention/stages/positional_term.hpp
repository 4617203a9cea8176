// A positional term that is formed once, as an array added to the logits.
#pragma once

#include <vector>

#include "kernels/attention/attend/attend.hpp"

namespace attest::attention {

/// factor[h] qp_i.kp_j for every pair of one sequence: [H][N_q][N_k], for qp [H][N_q][P], kp [H][N_k][P]. It depends on
/// no token, so that a trained model forms it once ("Revisiting Transformers with Insights from Image Filtering and
/// Boosting", after Eq 3.10).
template <typename T>
Tensor<T> positional_term(const Tensor<T>& qp, const Tensor<T>& kp, const std::vector<T>& factor);

template <typename T>
struct PositionalTermGradients {
  AttendGradients<T> attention;  ///< of q, k, v
  Tensor<T> qp, kp;              ///< in their shapes
  std::vector<T> factor;         ///< [H]
};

/// Attention with the positional term added to the logits, and what its backward pass needs.
template <typename T>
struct PerSequence {
  Tensor<T> q, k, v, qp, kp;
  std::vector<T> factor;
  AttendOptions<T> options;
  std::vector<Attended<T>> attended;  ///< one for all sequences, or one per sequence where their positions differ
  Tensor<T> out;                      ///< [B][H][N_q][D_v]

  PositionalTermGradients<T> backward(const Tensor<T>& dout) const;
};

/// qp, kp: [H][N][P] for the same positions in every sequence, or [B][H][N][P]. Any dense bias of the options is added
/// too. Memory: O(H N_q N_k). Errors: as attend.
template <typename T>
PerSequence<T> attend_with_positional_term(Tensor<T> q, Tensor<T> k, Tensor<T> v, Tensor<T> qp, Tensor<T> kp,
                                           std::vector<T> factor, AttendOptions<T> options);

}  // namespace attest::attention
