#include "simulations/models/switch_layer.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "simulations/models/batch_norm.hpp"
#include "simulations/models/channel_attention.hpp"
#include "simulations/models/torch.hpp"

namespace attest::models {
namespace {

using at::Tensor;

/// Two experts of one hidden channel on tokens of two channels. The router sends a token to expert 0 where its first
/// channel is positive; expert e gives (e + 1) gelu(x_1 + x_2) in both channels.
struct TwoExperts {
  Tensor router = at::tensor({1.0, 0.0, -1.0, 0.0}, at::kDouble).view({2, 2}), widen = at::ones({2, 1, 2}, at::kDouble),
         widen_bias = at::zeros({2, 1}, at::kDouble),
         narrow = at::tensor({1.0, 1.0, 2.0, 2.0}, at::kDouble).view({2, 2, 1}),
         narrow_bias = at::zeros({2, 2}, at::kDouble);
  Experts all() const { return {router, widen, widen_bias, narrow, narrow_bias}; }
};

double gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }

TEST(SwitchLayer, sends_each_token_to_its_best_expert_alone) {
  const TwoExperts two;
  const Tensor x = at::tensor({1.0, 2.0, -1.0, 3.0}, at::kDouble).view({2, 2});
  const Routed found = switch_layer(x, two.all(), {.group = 2, .room = 1});
  const double share = 1 / (1 + std::exp(-2.0));  // of logits 1 and -1
  EXPECT_DOUBLE_EQ(found.output[0][0].item<double>(), share * gelu(3));
  EXPECT_DOUBLE_EQ(found.output[1][1].item<double>(), share * 2 * gelu(2));
  EXPECT_EQ(found.dropped, 0);
  // Each expert has one token of two and, on average, half of the probability: 2 (1/2 1/2 + 1/2 1/2).
  EXPECT_DOUBLE_EQ(found.balance.item<double>(), 1);
}

TEST(SwitchLayer, drops_what_has_no_room_and_says_how_unequal_the_load_is) {
  const TwoExperts two;
  const Tensor x = at::tensor({1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 1.0, 5.0}, at::kDouble).view({4, 2});
  // All four want expert 0.
  const Routed found = switch_layer(x, two.all(), {.group = 4, .room = expert_room(0.75, 4, 2)});
  EXPECT_EQ(found.dropped, 2);
  EXPECT_GT(found.output[1][0].item<double>(), 0);
  EXPECT_EQ(found.output[2][0].item<double>(), 0);
  EXPECT_EQ(found.output[3][1].item<double>(), 0);
  EXPECT_DOUBLE_EQ(found.balance.item<double>(), 2 / (1 + std::exp(-2.0)));
}

TEST(SwitchLayer, rounds_the_room_of_an_expert_up) {
  EXPECT_EQ(expert_room(1, 4, 2), 2);
  EXPECT_EQ(expert_room(0.75, 4, 2), 2);
  EXPECT_EQ(expert_room(1.25, 10, 4), 4);
}

TEST(SwitchLayer, gives_every_group_room_of_its_own) {
  const TwoExperts two;
  const Tensor x = at::tensor({1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 1.0, 5.0}, at::kDouble).view({4, 2});
  const Routed found = switch_layer(x, two.all(), {.group = 2, .room = 1});
  EXPECT_EQ(found.dropped, 2);
  for (const int kept : {0, 2}) EXPECT_GT(found.output[kept][0].item<double>(), 0) << kept;
  for (const int dropped : {1, 3}) EXPECT_EQ(found.output[dropped][0].item<double>(), 0) << dropped;
}

TEST(SwitchLayer, learns_its_router_by_the_shares_and_the_balance) {
  TwoExperts two;
  two.router.requires_grad_(true);
  const Tensor x = at::tensor({1.0, 2.0, 1.0, 3.0}, at::kDouble).view({2, 2});
  const Routed found = switch_layer(x, two.all(), {.group = 2, .room = 2});
  EXPECT_GT(torch::autograd::grad({found.output.sum()}, {two.router}, {}, true)[0].abs().sum().item<double>(), 0);
  // A load on expert 0 alone is lightened by a smaller logit of it.
  EXPECT_GT(torch::autograd::grad({found.balance}, {two.router})[0][0][0].item<double>(), 0);
}

TEST(BatchNorm, centres_and_scales_every_channel_over_batch_and_tokens) {
  const Tensor x = at::arange(12, at::kDouble).view({2, 3, 2}).square();
  const BatchMoments found = batch_moments(x);
  // Channel 0: 0, 4, 16, 36, 64, 100.
  EXPECT_DOUBLE_EQ(found.mean[0].item<double>(), 220.0 / 6);
  EXPECT_DOUBLE_EQ(found.variance[0].item<double>(), (16 + 256 + 1296 + 4096 + 10000) / 6.0 - 220.0 * 220 / 36);
  const Tensor weight = at::tensor({1.0, 2.0}, at::kDouble), bias = at::tensor({0.5, 0.0}, at::kDouble);
  EXPECT_TRUE(
      at::allclose(batch_norm(x, found.mean, found.variance, weight, bias),
                   at::batch_norm(x.transpose(1, 2), weight, bias, {}, {}, true, 0.1, 1e-5, false).transpose(1, 2)));
}

TEST(ChannelAttention, weighs_channels_by_their_likeness_to_the_prototype) {
  // One head of two channels, two tokens. Softmax over tokens of x: (1/2, 1/2) and (1/4, 3/4), mean r = (3/8, 5/8).
  const double log3 = std::log(3.0);
  const Tensor x = at::tensor({0.0, 0.0, 0.0, log3}, at::kDouble).view({1, 2, 2});
  const Tensor values = at::tensor({1.0, 2.0, 3.0, 4.0}, at::kDouble).view({1, 2, 2});
  const Tensor out = channel_attention(x, x, values, at::tensor({2.0}, at::kDouble));
  const auto weight = [](double s) { return 2 / (1 + std::exp(-s)); };
  const double first = weight(0.5 * 3 / 8 + 0.5 * 5 / 8), second = weight(0.25 * 3 / 8 + 0.75 * 5 / 8);
  EXPECT_DOUBLE_EQ(out[0][0][0].item<double>(), first * 1);
  EXPECT_DOUBLE_EQ(out[0][1][1].item<double>(), second * 4);
}

}  // namespace
}  // namespace attest::models
