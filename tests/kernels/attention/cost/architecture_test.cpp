#include "kernels/attention/cost/architecture.hpp"

#include <gtest/gtest.h>

namespace attest::attention {
namespace {

TEST(Architecture, deit_tiny_has_the_published_number_of_parameters) {
  const ParameterCount p = count_parameters(deit_tiny());
  EXPECT_EQ(p.total(), 5717416);  // the authors' checkpoint of deit_tiny_patch16_224
  EXPECT_EQ(p.head, 193000);
}

TEST(Architecture, deit_tiny_needs_one_and_a_quarter_billion_macs) {
  const MacCount m = count_macs(deit_tiny(), {attend_cost});
  EXPECT_EQ(m.embedding, 196.0 * 768 * 192);
  EXPECT_EQ(m.projections, 12.0 * 197 * 192 * 192 * 4);
  EXPECT_EQ(m.attention, 12.0 * 3 * 197 * 197 * 64 * 2);
  EXPECT_EQ(m.feed_forward, 12.0 * 197 * 192 * 768 * 2);
  EXPECT_EQ(m.head, 192000);
  EXPECT_EQ(m.total(), 1253683200.0);
}

TEST(Architecture, twicing_in_some_layers_costs_one_more_product_in_each) {
  const double once = count_macs(deit_tiny(), {attend_cost}).total(), product = 3.0 * 197 * 197 * 64;
  std::vector<AttentionCost> last_three(12, attend_cost);
  for (std::size_t layer = 9; layer < 12; ++layer) last_three[layer] = twicing_cost;
  EXPECT_EQ(count_macs(deit_tiny(), last_three).total(), once + 3 * product);
  EXPECT_EQ(count_macs(deit_tiny(), {twicing_cost}).total(), once + 12 * product);
}

TEST(Architecture, the_language_model_has_the_parameters_of_its_parts) {
  const ParameterCount p = count_parameters({.layers = 16,
                                             .tokens = 256,
                                             .width = 128,
                                             .heads = 8,
                                             .head_dim = 16,
                                             .hidden = 2048,
                                             .projection_bias = false,
                                             .output_bias = false,
                                             .vocabulary = 267735,
                                             .final_norm = false});
  EXPECT_EQ(p.attention, 16.0 * 4 * 128 * 128);
  EXPECT_EQ(p.feed_forward, 16.0 * (2 * 128 * 2048 + 2048 + 128));
  EXPECT_EQ(p.total() - p.embedding - p.head, 9480192);
  EXPECT_EQ(p.embedding, 267735.0 * 128);
}

TEST(Architecture, rejects_a_wrong_number_of_attention_costs) {
  EXPECT_THROW(count_macs(deit_tiny(), {attend_cost, attend_cost}), std::invalid_argument);
}

TEST(AttentionLayer, is_its_projections_and_its_attention) {
  const AttentionLayer layer{.batch = 2, .tokens = 10, .width = 12, .heads = 3, .head_dim = 4};
  const Cost whole = attention_layer_cost(layer, attend_cost);
  const Cost attention = attend_cost({.batch = 2, .heads = 3, .queries = 10, .keys = 10, .dim = 4, .value_dim = 4});
  EXPECT_EQ(whole.forward_macs, attention.forward_macs + 4.0 * 2 * 10 * 12 * 12);
  EXPECT_EQ(whole.forward_flops, attention.forward_flops + 4.0 * (2 * 2 * 10 * 12 * 12 + 2 * 10 * 12));
  EXPECT_EQ(whole.backward_macs, attention.backward_macs + 8.0 * 2 * 10 * 12 * 12);
}

/// Two heads of 32, one of which sees pooled keys: with width D and N tokens the MACs per token are (2 + 2 m) D + 2 m N
/// in units of D, where m is the mean of 1/factor.
TEST(AttentionLayer, scaled_heads_project_and_attend_to_fewer_keys) {
  AttentionLayer layer{.tokens = 4096, .width = 64, .heads = 2, .head_dim = 32};
  layer.factors = {1, 2};
  const double m = 0.75;
  EXPECT_EQ(attention_layer_cost(layer, attend_cost).forward_macs, 4096 * 64 * ((2 + 2 * m) * 64 + 2 * m * 4096));
  layer.factors = {1, 1};
  EXPECT_EQ(attention_layer_cost(layer, attend_cost).forward_macs, 4096.0 * 64 * (4 * 64 + 2 * 4096));
  layer.factors = {1};
  EXPECT_THROW(attention_layer_cost(layer, attend_cost), std::invalid_argument);
}

TEST(FeedForward, is_two_products_with_biases_and_the_function_between_them) {
  const Cost cost = feed_forward_cost(10, 4, 16);
  EXPECT_EQ(cost.forward_macs, 2.0 * 10 * 4 * 16);
  EXPECT_EQ(cost.forward_flops, 4.0 * 10 * 4 * 16 + 10 * (4 + 16) + 10 * 16);
}

}  // namespace
}  // namespace attest::attention
