// The mean over tokens and what differs from it, weighted apart.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// x + s * mean + t * (x - mean), feature by feature, mean the average over the first `lengths`[b] tokens of sequence b
/// ("Anti-Oversmoothing in Deep Vision Transformers", FeatScale: s weights the constant component of a feature over the
/// tokens, t its varying part). x [B][H][N][D]; s, t [H][D]; a length of 0 gives the mean 0. Sums are in double.
template <typename T>
Tensor<T> feature_scale(const Tensor<T>& x, const Tensor<T>& s, const Tensor<T>& t, const std::vector<Index>& lengths);

template <typename T>
struct FeatureScaleGradients {
  Tensor<T> x, s, t;
};

/// Gradients of sum(feature_scale(...) * dout).
template <typename T>
FeatureScaleGradients<T> feature_scale_backward(const Tensor<T>& x, const Tensor<T>& s, const Tensor<T>& t,
                                                const std::vector<Index>& lengths, const Tensor<T>& dout);

}  // namespace attest::attention
