// Attention by the library's CUDA kernels inside LibTorch's graph, where there is a device.
#include "simulations/models/fused_attention.hpp"

#include <gtest/gtest.h>

#include "simulations/models/attention_operations.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using attention::Index;

constexpr Index batch = 2, heads = 2, tokens = 70, width = 128;

Tensor drawn(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions(at::kDouble));
}

struct Result {
  Tensor out, gradient;
};

template <typename Attend>
Result value_and_gradient(const Attend& attend, const AttentionCall& call, const at::TensorOptions& where) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1).to(where).requires_grad_(true);
  const Tensor out = attend(call, qkv, heads, ExtraInputs{});
  const Tensor loss = (out * drawn({batch, tokens, width}, 2).to(where)).sum();
  const auto gradients = torch::autograd::grad({loss}, {qkv});
  return {out.detach().to(at::kCPU, at::kDouble), gradients[0].to(at::kCPU, at::kDouble)};
}

double relative_error(const Tensor& found, const Tensor& expected) {
  return ((found - expected).norm() / expected.norm()).item<double>();
}

TEST(FusedAttention, has_the_values_gradients_and_dropout_of_the_processor_s_kernels) {
  if (!at::hasCUDA()) GTEST_SKIP() << "LibTorch finds no CUDA device";
  // Logits of a few units are off by a few 2^-8, and so are values and gradients.
  constexpr double bfloat16_error = 0.03;
  for (const char* name : {"softmax", "graph-diffusion", "twicing"})
    for (const double rate : {0.0, 0.25}) {
      AttentionCall call{&attention::find_mechanism(name), {}, true};
      call.dropout = {rate, 5};
      const Result expected = value_and_gradient(attend_packed, call, at::TensorOptions(at::kDouble));
      const Result found =
          value_and_gradient(attend_by_operations, call, at::TensorOptions(at::kCUDA).dtype(at::kBFloat16));
      EXPECT_LE(relative_error(found.out, expected.out), bfloat16_error) << name << ", dropout " << rate;
      EXPECT_LE(relative_error(found.gradient, expected.gradient), bfloat16_error) << name << ", dropout " << rate;
    }
}

TEST(FusedAttention, is_for_half_types_on_a_device) {
  const AttentionCall call{&attention::find_mechanism("softmax"), {}};
  const Tensor x = drawn({batch, heads, tokens, 64}, 1);
  const auto operands = [&](const Tensor& of) {
    return Operands{call, {}, attention::OptionReader(call.mechanism->options, call.settings), of, of, of};
  };
  EXPECT_FALSE(can_fuse(operands(x)));
  EXPECT_FALSE(can_fuse(operands(x.to(at::kBFloat16))));
  if (!at::hasCUDA()) GTEST_SKIP() << "LibTorch finds no CUDA device";
  EXPECT_TRUE(can_fuse(operands(x.to(at::kCUDA, at::kBFloat16))));
  EXPECT_FALSE(can_fuse(operands(x.to(at::kCUDA, at::kFloat))));
}

}  // namespace
}  // namespace attest::models
