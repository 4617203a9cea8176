// Nystrom attention: the softmax matrix approximated through landmarks, in time linear in the tokens.
#pragma once

#include <memory>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

struct NystromOptions {
  Index landmarks = 64;  ///< at most the tokens there are are used
  int iterations = 6;    ///< steps for the pseudo-inverse, exactly as many
  /// [H]: the logits get -slope |i - j|, averaged over segments as queries and keys are; empty: none.
  std::vector<double> slopes = {};
  bool batch_maximum = false;  ///< c is the largest column sum of all heads and sequences, as the authors' code
  std::vector<Index> key_lengths = {};    ///< [B]: keys 0..length-1 are real; empty: all are
  std::vector<Index> query_lengths = {};  ///< [B]: queries that enter the means; all queries get an output; empty: all
  unsigned threads = 0;                   ///< 0: one per core; results have the same bits for any number
};

struct NystromRun;  // what is kept for the backward pass

template <typename T>
struct NystromAttended {
  Tensor<T> out;  ///< [B][H][N_q][D_v]
  std::shared_ptr<const NystromRun> run;
};

/// out = F Z (G V), with q and k each scaled by D^(-1/4), q~ and k~ the means of their m successive segments,
/// F = softmax(q k~^T), A = softmax(q~ k~^T), G = softmax(q~ k^T) and Z the pseudo-inverse of A after `iterations`
/// steps
///   Z <- Z (13 I - A Z (15 I - A Z (7 I - A Z))) / 4   from Z = A^T / c, c the largest column sum of A
/// (Xiong et al. 2021, Algorithm 1 and Eq 13, 14). Where m does not divide N, the first m (floor(N/m) + 1) - N segments
/// have floor(N/m) tokens and the others one more. Where every real token is its own landmark (m = N_q = N_k), the
/// result is softmax attention itself, without a pseudo-inverse, as in the authors' code: F A^+ G = A. A sequence
/// without keys gets zeros. Evaluated in double for both types: the steps would amplify float rounding. F and
/// G are attentions in tiles (attend) and never stored. Time O(N m (D + D_v) + iterations m^3) a head, memory O(N + m^2
/// iterations), and O(N m) with slopes. Errors: std::invalid_argument for fewer than one landmark or negative
/// iterations. T is float or double.
template <typename T>
NystromAttended<T> nystrom_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                  const NystromOptions& options);

template <typename T>
struct NystromGradients {
  Tensor<T> q, k, v;
};

/// Gradients of sum(out * dout), through every step and through c; `attended` is the forward pass with the same
/// options.
template <typename T>
NystromGradients<T> nystrom_attend_backward(const NystromOptions& options, const NystromAttended<T>& attended,
                                            const Tensor<T>& dout);

}  // namespace attest::attention
