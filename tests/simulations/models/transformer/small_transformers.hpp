// Small models of language and images for the tests of Transformer, with weights that make every layer matter.
#pragma once

#include <vector>

#include "simulations/models/transformer/transformer.hpp"

namespace attest::models {

inline ModelSpec language() {
  ModelSpec spec;
  spec.width = 12;
  spec.heads = 2;
  spec.feedforward = 16;
  spec.context = 6;
  spec.layers.resize(3);
  return spec;
}

inline ModelSpec vision() {
  ModelSpec spec = language();
  spec.kind = ModelSpec::Kind::vision;
  spec.patch = 3;
  return spec;
}

inline constexpr ModelShape alphabet{5, 0, 0, 1};
inline constexpr ModelShape pictures{4, 6, 9, 1};

inline std::vector<at::Tensor> weights_of(const Transformer& model, std::uint64_t seed) {
  std::vector<at::Tensor> weights;
  for (const ParameterSpec& parameter : model.parameters()) {
    std::vector<float> values = initial_values(parameter, seed);
    // Larger than training starts with, so that every layer matters.
    const at::Tensor tensor = at::from_blob(values.data(), parameter.shape, at::kFloat).to(at::kDouble);
    weights.push_back(parameter.initial.law == Initial::Law::normal ? tensor * 10 : tensor.clone());
  }
  return weights;
}

inline at::Tensor letters() { return at::tensor({0, 1, 2, 3, 4, 0, 4, 3, 2, 1, 0, 4}, at::kLong).view({2, 6}); }

}  // namespace attest::models
