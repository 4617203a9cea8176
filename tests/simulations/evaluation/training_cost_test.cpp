#include "simulations/evaluation/training_cost.hpp"

#include <gtest/gtest.h>

namespace attest::evaluation {

using attention::Index;
using models::ModelSpec;
using models::ParameterSpec;

namespace {

ModelSpec model() {
  ModelSpec spec;
  spec.width = 8;
  spec.heads = 2;
  spec.feedforward = 16;
  spec.layers.resize(1);
  spec.kind = ModelSpec::Kind::vision;
  return spec;
}

TrainingSpec training() {
  TrainingSpec t;
  t.batch = 3;
  return t;
}

const std::vector<ParameterSpec> parameters = {{"a", {8, 8}, {}}, {"b", {8}, {}}};

TEST(TrainingCost, counts_parameters_and_the_state_of_adam) {
  const TrainingCost cost = training_cost(model(), training(), 1, 5, parameters);
  EXPECT_EQ(cost.parameters, 72);
  EXPECT_EQ(cost.state_bytes, 72 * 4 * (1 + 2 + 1 + 1));
}

TEST(TrainingCost, adds_up_the_products_of_a_layer) {
  // 15 rows of width 8: queries, keys, values and the joining projection, then 16 hidden channels and back.
  const double products = 15 * (8.0 * 24 + 8 * 8 + 2 * 8 * 16);
  const double biases = 15 * (24.0 + 8 + 16 + 8), hidden = 15 * 16.0;
  attention::CostShape shape{.batch = 3, .heads = 2, .queries = 5, .keys = 5, .dim = 4, .value_dim = 4};
  const attention::Cost attend = attention::attend_cost(shape);
  const TrainingCost cost = training_cost(model(), training(), 1, 5, parameters);
  EXPECT_EQ(cost.step_flops, 6 * products + 2 * biases + 3 * hidden + attend.forward_flops + attend.backward_flops);
  TrainingSpec twice = training();
  twice.accumulate = 2;
  EXPECT_EQ(training_cost(model(), twice, 1, 5, parameters).step_flops, 2 * cost.step_flops);
}

TEST(TrainingCost, counts_both_texts_of_a_pair_and_the_router_of_experts) {
  const double one = training_cost(model(), training(), 1, 5, parameters).step_flops;
  EXPECT_EQ(training_cost(model(), training(), 2, 5, parameters).step_flops, 2 * one);
  ModelSpec experts = model();
  experts.layers[0].experts.count = 4;
  EXPECT_EQ(training_cost(experts, training(), 1, 5, parameters).step_flops, one + 6 * 15.0 * 8 * 4);
}

TEST(TrainingCost, of_attention_that_keeps_its_weights_takes_more_memory) {
  TrainingSpec operations = training();
  operations.operations = true;
  EXPECT_GT(training_cost(model(), operations, 1, 50, parameters).activation_bytes,
            training_cost(model(), training(), 1, 50, parameters).activation_bytes);
}

}  // namespace
}  // namespace attest::evaluation
