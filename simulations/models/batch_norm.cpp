#include "simulations/models/batch_norm.hpp"

namespace attest::models {

at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& mean, const at::Tensor& variance, const at::Tensor& weight,
                      const at::Tensor& bias) {
  return (x - mean) * (weight * (variance + 1e-5).rsqrt()) + bias;
}

BatchMoments batch_moments(const at::Tensor& x) {
  const at::Tensor mean = x.mean(at::IntArrayRef{0, 1});
  return {mean, (x - mean).square().mean(at::IntArrayRef{0, 1})};
}

}  // namespace attest::models
