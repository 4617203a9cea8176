#include "simulations/models/attention_bridge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "simulations/models/torch.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using attention::Index;

constexpr Index batch = 2, heads = 3, tokens = 7, dim = 4, width = heads * dim;

/// Some 60 operations of a few digits' cancellation each lie between an input and a gradient.
constexpr double tolerance = 1e-12;
/// The same in float32.
constexpr double float_tolerance = 2e-5;

Tensor drawn(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions(at::kDouble));
}

AttentionCall call_of(const char* mechanism, bool causal) {
  return {&attention::find_mechanism(mechanism), {}, causal};
}

Tensor part(const Tensor& qkv, Index which) {
  return qkv.narrow(2, which * width, width).reshape({batch, tokens, heads, dim}).transpose(1, 2);
}

/// softmax(logits) with the future masked where `causal`.
Tensor weights(Tensor logits, bool causal) {
  if (causal) logits = logits.masked_fill(at::ones({tokens, tokens}).triu(1).to(at::kBool), -INFINITY);
  return logits.softmax(-1);
}

Tensor scores(const Tensor& qkv) { return part(qkv, 0).matmul(part(qkv, 1).transpose(2, 3)); }

Tensor joined(const Tensor& by_head) { return by_head.transpose(1, 2).reshape({batch, tokens, width}); }

Tensor textbook_softmax(const Tensor& qkv, bool causal) {
  return joined(weights(scores(qkv) / std::sqrt(double(dim)), causal).matmul(part(qkv, 2)));
}

Tensor textbook_twicing(const Tensor& qkv, bool causal) {
  const Tensor a = weights(scores(qkv) / std::sqrt(double(dim)), causal), v = part(qkv, 2);
  return joined(a.matmul(v) + a.matmul(v - a.matmul(v)));
}

double largest(const Tensor& x) { return x.abs().max().item<double>(); }

/// Value and gradient of sum(attention(W x) * r), so that the graph goes on after the bridge.
template <typename Attention>
std::vector<Tensor> value_and_gradients(const Attention& attention, at::ScalarType type) {
  const Tensor x = drawn({batch, tokens, width}, 1).to(type).requires_grad_(true);
  const Tensor w = drawn({3 * width, width}, 2).mul(0.3).to(type).requires_grad_(true);
  const Tensor out = attention(at::linear(x, w));
  const Tensor loss = (out * drawn({batch, tokens, width}, 3).to(type)).sum();
  auto all = torch::autograd::grad({loss}, {x, w});
  all.push_back(out.detach());
  return all;
}

void expect_equal(const std::vector<Tensor>& found, const std::vector<Tensor>& expected, double within) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(largest(found[i].to(at::kDouble) - expected[i]), within * std::max(1.0, largest(expected[i]))) << i;
}

using Textbook = Tensor (*)(const Tensor&, bool);
class AttentionBridge : public testing::TestWithParam<std::tuple<const char*, Textbook, bool>> {};

TEST_P(AttentionBridge, has_the_values_and_gradients_that_autograd_finds_for_the_textbook_formula) {
  const auto [mechanism, textbook, causal] = GetParam();
  const AttentionCall call = call_of(mechanism, causal);
  const auto bridged = [&](const Tensor& qkv) { return attend_packed(call, qkv, heads); };
  const auto expected =
      value_and_gradients([&, t = textbook, c = causal](const Tensor& qkv) { return t(qkv, c); }, at::kDouble);
  expect_equal(value_and_gradients(bridged, at::kDouble), expected, tolerance);
  expect_equal(value_and_gradients(bridged, at::kFloat), expected, float_tolerance);
}

INSTANTIATE_TEST_SUITE_P(InPlace, AttentionBridge,
                         testing::Values(std::tuple{"softmax", &textbook_softmax, false},
                                         std::tuple{"softmax", &textbook_softmax, true},
                                         std::tuple{"twicing", &textbook_twicing, false},
                                         std::tuple{"twicing", &textbook_twicing, true}));

TEST(AttentionBridgeByCopies, gives_every_extra_input_its_gradient) {
  AttentionCall call = call_of("bilateral", true);
  call.settings = {{"h_p2", "3"}, {"h_y2", "2"}};
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 1).requires_grad_(true);
  const Tensor qp = drawn({heads, tokens, dim}, 2).requires_grad_(true);
  const Tensor kp = drawn({heads, tokens, dim}, 3).requires_grad_(true);
  const Tensor r = drawn({batch, tokens, width}, 4);
  const Tensor textbook =
      joined(weights(qp.matmul(kp.transpose(1, 2)) / 3 + scores(qkv) / 2, true).matmul(part(qkv, 2)));
  const Tensor bridged = attend_packed(call, qkv, heads, {{"qp", qp}, {"kp", kp}});
  const auto expected = torch::autograd::grad({(textbook * r).sum()}, {qkv, qp, kp});
  expect_equal(torch::autograd::grad({(bridged * r).sum()}, {qkv, qp, kp}), expected, tolerance);
  EXPECT_LE(largest(bridged - textbook), tolerance);
}

TEST(AttentionBridgeByCopies, agrees_with_the_way_in_place) {
  AttentionCall in_place = call_of("softmax", true), copied = in_place;
  copied.settings = {{"causal", "true"}};
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 5);
  EXPECT_TRUE(attend_packed(in_place, qkv, heads).equal(attend_packed(copied, qkv, heads)));
}

TEST(AttentionBridgeRefuses, heads_that_do_not_divide_the_width) {
  EXPECT_THROW(attend_packed(call_of("softmax", false), drawn({1, 2, 10}, 1), 2), std::invalid_argument);
}

TEST(AttentionMatrix, gives_what_the_mechanism_gives_when_it_multiplies_the_values) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 5);
  for (const char* mechanism : {"softmax", "twicing", "graph-diffusion"}) {
    const AttentionCall call = call_of(mechanism, true);
    const Tensor matrix = attention_matrix(call, qkv, heads, {});
    const Tensor product = at::matmul(matrix, part(qkv, 2)).transpose(1, 2).reshape({batch, tokens, width});
    EXPECT_LE((product - attend_packed(call, qkv, heads)).abs().max().item<double>(), tolerance) << mechanism;
  }
  EXPECT_THROW(attention_matrix(call_of("neutreno", true), qkv, heads, {{"v0", part(qkv, 2)}}), std::invalid_argument);
}

TEST(AttendPacked, leaves_out_keys_behind_a_sequence_s_length) {
  const Tensor qkv = drawn({batch, tokens, 3 * width}, 6);
  for (const char* mechanism : {"softmax", "twicing", "attention-bn"}) {
    AttentionCall call = call_of(mechanism, false);
    call.key_lengths = std::vector<Index>(batch, tokens - 1);
    Tensor other = qkv.clone();
    other.select(1, tokens - 1).fill_(7);
    const Tensor kept = attend_packed(call, qkv, heads).narrow(1, 0, tokens - 1);
    EXPECT_TRUE(kept.equal(attend_packed(call, other, heads).narrow(1, 0, tokens - 1))) << mechanism;
  }
}

}  // namespace
}  // namespace attest::models
