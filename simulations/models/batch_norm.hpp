// Batch normalisation of tokens.
#pragma once

#include <ATen/ATen.h>

namespace attest::models {

/// weight (x - mean) / sqrt(variance + 1e-5) + bias for x [B][N][C] and four vectors [C] (Ioffe and Szegedy 2015).
at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& mean, const at::Tensor& variance, const at::Tensor& weight,
                      const at::Tensor& bias);

/// Of every channel over batch and tokens, with gradients; the variance divides by B N.
struct BatchMoments {
  at::Tensor mean, variance;
};
BatchMoments batch_moments(const at::Tensor& x);

}  // namespace attest::models
