// Queries, keys and values as places of one array, and the way of their gradients back.
#include "simulations/models/packed_heads.hpp"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>

namespace attest::models {
namespace {

using at::Tensor;
using attention::Index;

constexpr Index batch = 2, tokens = 5, heads = 3, dim = 4, width = heads * dim;

Tensor drawn(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed));
}

TEST(PackedHeads, are_those_of_the_array_and_bring_its_gradient_back) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1).requires_grad_(true);
  const auto parts = unpack(qkv, heads);
  Tensor loss, plain_loss;
  for (Index p = 0; p < 3; ++p) {
    EXPECT_TRUE(at::equal(parts[static_cast<std::size_t>(p)], unpacked(qkv, heads, p)));
    EXPECT_TRUE(parts[static_cast<std::size_t>(p)].is_alias_of(qkv));
    const Tensor weight = drawn({batch, heads, tokens, dim}, 10 + static_cast<std::uint64_t>(p));
    const Tensor term = (parts[static_cast<std::size_t>(p)].square() * weight).sum();
    const Tensor plain = (unpacked(qkv, heads, p).square() * weight).sum();
    loss = loss.defined() ? loss + term : term;
    plain_loss = plain_loss.defined() ? plain_loss + plain : plain;
  }
  const Tensor found = torch::autograd::grad({loss}, {qkv})[0];
  EXPECT_TRUE(at::equal(found, torch::autograd::grad({plain_loss}, {qkv})[0]));
}

TEST(PackedHeads, without_a_use_of_one_have_zeros_for_its_gradient) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1).requires_grad_(true);
  const Tensor found = torch::autograd::grad({unpack(qkv, heads)[1].sum()}, {qkv})[0];
  EXPECT_EQ(found.narrow(2, 0, width).abs().max().item<float>(), 0);
  EXPECT_EQ(found.narrow(2, width, width).min().item<float>(), 1);
  EXPECT_EQ(found.narrow(2, 2 * width, width).abs().max().item<float>(), 0);
}

/// Gives gradients that lie in one array, as the device's kernels do.
struct Doubled : torch::autograd::Function<Doubled> {
  static Tensor forward(torch::autograd::AutogradContext*, const Tensor& q, const Tensor& k, const Tensor& v) {
    return 2 * (q + k + v);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& gradients) {
    const auto to = in_places_of_one_array(gradients[0]);
    for (std::size_t p = 0; p < 3; ++p) {
      Tensor place = to[p];
      place.copy_(2 * static_cast<double>(p + 1) * gradients[0]);
    }
    return {to[0], to[1], to[2]};
  }
};

TEST(PackedHeads, take_gradients_that_lie_in_one_array_as_they_are) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1).requires_grad_(true);
  const auto parts = unpack(qkv, heads);
  const Tensor weight = drawn({batch, heads, tokens, dim}, 2);
  const Tensor out = Doubled::apply(parts[0], parts[1], parts[2]);
  const Tensor found = torch::autograd::grad({(out * weight).sum()}, {qkv})[0];
  EXPECT_EQ(found.sizes(), qkv.sizes());
  for (Index p = 0; p < 3; ++p)
    EXPECT_TRUE(at::equal(unpacked(found, heads, p), 2 * static_cast<double>(p + 1) * weight));
}

}  // namespace
}  // namespace attest::models
