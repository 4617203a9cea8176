#include "theorems/primal_dual/cost_model.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "kernels/attention/cost/architecture.hpp"

namespace attest::primal_dual {
namespace {

TEST(CostModel, counts_the_multiply_adds_of_a_layer_as_the_attention_library_does) {
  constexpr double tokens = 128;
  constexpr double width = 64;
  for (const std::vector<std::int64_t>& factors : {std::vector<std::int64_t>{1, 1}, {1, 2}, {2, 4}}) {
    const attention::AttentionLayer layer{
        .tokens = 128, .width = 64, .heads = 2, .head_dim = 32, .factors = factors, .keeps_weights = true};
    auto counted = attention::attention_layer_cost(layer, attention::attend_cost);
    counted += attention::feed_forward_cost(128, 64, 192);
    const std::vector<double> real(factors.begin(), factors.end());
    EXPECT_EQ(layer_multiply_adds<double>({tokens, width, 3}, real), counted.forward_macs);
  }
}

TEST(CostModel, saves_a_quarter_of_the_maps_and_of_keys_and_values_with_one_of_two_heads_halved) {
  // N = 4, D = 2: maps 2 * 16, keys and values 2 * 8, one other activation 8, one matrix 4.
  const Copies<double> copies{1, 1, 1};
  EXPECT_EQ(layer_memory<double>(4, 2, copies, lra_factors), 0.75 * (32 + 16) + 8 + 4);
  EXPECT_EQ(relative_memory<double>(4, 2, copies, lra_factors), 48.0 / 60);
}

}  // namespace
}  // namespace attest::primal_dual
