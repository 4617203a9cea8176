// What a Nystrom attention keeps from its forward pass: its two long softmax matrices are never formed, but are
// attentions to and from the landmarks. For the files of this folder alone.
#pragma once

#include <vector>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/nystrom/nystrom_head.hpp"
#include "kernels/attention/nystrom/token_array.hpp"

namespace attest::attention {

/// One attention in double: its forward results, [B][H][N][D_v] and [B][H][N][1].
struct NystromPass {
  TokenArray out, largest, normaliser;
};

/// The landmarks of one sequence; `count` 0: it has no keys, and gets zeros.
struct Landmarks {
  Index count = 0, keys = 0, mean_rows = 0;
  bool exact = false;  ///< a landmark for every token: softmax attention to the keys themselves, without an inverse
  bool inverts() const { return count > 0 && !exact; }
};

struct NystromRun {
  TokenArray q, k, v;                ///< q and k scaled by D^(-1/4)
  TokenArray q_means, k_means;       ///< [B][H][m][D], m the most landmarks of a sequence; rows beyond its own are zero
  TokenArray zgv;                    ///< [B][H][m][D_v]: Z G V, or V itself where the sequence is exact
  NystromPass g, f;                  ///< G V [B][H][m][D_v] and F (Z G V) [B][H][N_q][D_v]
  std::vector<Landmarks> landmarks;  ///< [B]
  std::vector<Index> seen_keys, seen_landmarks;  ///< [B] each: key lengths of G and of F
  std::vector<Tensor<double>> g_bias, f_bias;    ///< [B] each, [H][m][N_k] and [H][N_q][m]; empty without slopes
  std::vector<NystromHead> heads;                ///< [B H]
  unsigned threads = 0;

  Index batch() const { return q.batch(); }
  Index head_count() const { return q.heads(); }
  bool any_inverts() const;

  /// G of sequences first .. first + count - 1: landmarks attend to keys.
  AttendProblem<double> of_landmarks(Index first, Index count) const;
  /// F of the same: queries attend to landmarks, whose values are Z G V.
  AttendProblem<double> of_queries(Index first, Index count) const;
  void attend_to_keys();
  void attend_to_landmarks();
};

struct NystromRunGradients {
  TokenArray q, k, v;
};
/// Gradients of sum(f.out * dout) by the scaled q and k and by v; `of_c`: with the batch's maximum, the head that
/// attains it gets the gradients of all.
NystromRunGradients backward(const NystromRun& run, const TokenArray& dout, bool batch_maximum);

}  // namespace attest::attention
