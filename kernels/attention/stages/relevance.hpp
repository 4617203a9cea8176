// How much each feature of the values changes from layer to layer: the diagonal metric of elliptical attention.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

struct RelevanceOptions {
  enum Normalisation { max, mean, none } normalisation = max;
  double delta = 1;                     ///< step between layers, above 0; cancels unless the normalisation is `none`
  std::vector<Index> key_lengths = {};  ///< [B]: tokens 0..length-1 are real; empty: all are
  bool prefix = false;                  ///< query i uses tokens 0..i
};

/// The estimator of Nielsen et al. 2024 ("Elliptical Attention", the over-layers estimator): for feature d of one head,
///   m_d = mean over tokens n of |v_nd - v'_nd| / delta,
/// v' the previous layer's values, divided by its largest (or mean) entry over d. [B][H][1][D], or [B][H][N][D] with
/// `prefix`. Where nothing changes, or without tokens, every m_d is 1. Errors: std::invalid_argument unless delta > 0.
template <typename T>
Tensor<double> relevance(const Tensor<T>& v, const Tensor<T>& previous, const RelevanceOptions& options);

/// Gradient of sum(relevance * dm) with respect to v; that of `previous` is its negative. |x| has derivative 0 at 0.
template <typename T>
Tensor<T> relevance_backward(const Tensor<T>& v, const Tensor<T>& previous, const RelevanceOptions& options,
                             const Tensor<double>& dm);

}  // namespace attest::attention
