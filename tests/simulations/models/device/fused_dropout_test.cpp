// Dropout by the library's kernel inside LibTorch's graph, where there is a device.
#include "simulations/models/device/fused_dropout.hpp"

#include <gtest/gtest.h>

#include "kernels/attention/attend/dropout.hpp"

namespace attest::models {
namespace {

using at::Tensor;

TEST(FusedDropout, reaches_tensors_on_a_device_alone) { EXPECT_FALSE(is_within_reach(at::zeros({2}))); }

TEST(FusedDropout, drops_the_same_entries_on_the_way_there_and_back) {
  if (!at::hasCUDA()) GTEST_SKIP() << "LibTorch finds no CUDA device";
  constexpr double rate = 0.3;
  constexpr double rounded = 4 * 0x1p-8;  // a number below 4 in bfloat16
  constexpr std::uint64_t own = 4, added = 5;
  const Tensor seed = at::full({1}, static_cast<std::int64_t>(added), at::TensorOptions(at::kCUDA).dtype(at::kLong));
  for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    // Of odd length, and not in the order of its memory.
    const Tensor x = at::full({33, 7}, 2, at::TensorOptions(at::kCUDA).dtype(type)).t().requires_grad_(true);
    const Tensor out = fused_dropout(x, {rate, own}, seed);
    const Tensor back = torch::autograd::grad({out.sum()}, {x}).front();
    const Tensor values = out.detach().to(at::kCPU, at::kDouble).contiguous().flatten();
    const Tensor factors = back.to(at::kCPU, at::kDouble).contiguous().flatten();
    for (std::int64_t i = 0; i < values.numel(); ++i) {
      const bool kept = attention::survives_entry_dropout(own + added, attention::dropout_threshold(rate), i);
      EXPECT_NEAR(values[i].item<double>(), kept ? 2 / (1 - rate) : 0, rounded) << i;
      EXPECT_NEAR(factors[i].item<double>(), kept ? 1 / (1 - rate) : 0, rounded) << i;
    }
  }
  const Tensor x = at::ones({1000}, at::TensorOptions(at::kCUDA));
  EXPECT_TRUE(at::equal(fused_dropout(x, {rate, own}, seed), fused_dropout(x, {rate, own + added}, Tensor())));
  EXPECT_FALSE(at::equal(fused_dropout(x, {rate, own}, seed), fused_dropout(x, {rate, own}, Tensor())));
}

}  // namespace
}  // namespace attest::models
