#include "simulations/apply/apply_mechanism.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/arrays/rounding.hpp"
#include "tests/simulations/scratch_folder.hpp"
#include "tests/support/rounding.hpp"

namespace attest::apply {

using arrays::floating_array;
using arrays::floating_values;
using arrays::shape_text;

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const attention::Mechanism& softmax() { return attention::find_mechanism("softmax"); }

std::vector<std::string> names_of(const NamedArrays& arrays) {
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays) names.push_back(name);
  return names;
}

ApplyPlan with_gradients() {
  ApplyPlan plan;
  plan.gradients = true;
  return plan;
}

TEST(ApplyMechanism, gives_the_promised_names_shapes_and_types) {
  const NamedArrays inputs = example_arrays(softmax(), {});
  EXPECT_THAT(names_of(apply_mechanism(softmax(), inputs, {})), ElementsAre("out"));
  ApplyPlan plan = with_gradients();
  for (const ElementType type : {ElementType::float64, ElementType::float32}) {
    plan.type = type;
    const NamedArrays results = apply_mechanism(softmax(), inputs, plan);
    EXPECT_THAT(names_of(results), ElementsAre("grad.k", "grad.q", "grad.v", "loss", "out"));
    EXPECT_EQ(results.at("loss").shape, std::vector<std::int64_t>{});
    EXPECT_EQ(results.at("grad.k").shape, inputs.at("k").shape);
    for (const auto& [name, array] : results) EXPECT_EQ(array.type, type) << name;
  }
}

TEST(ExampleSettings, are_what_the_example_needs_and_nothing_else) {
  const auto settings = [](const char* name, const attention::Settings& given) {
    return example_settings(attention::find_mechanism(name), given);
  };
  EXPECT_TRUE(settings("softmax", {}).empty());
  EXPECT_EQ(settings("attention-sh", {{"factors", "1,3"}}), (attention::Settings{{"factors", "1,3"}}));
  EXPECT_TRUE(settings("attention-sh", {}).contains("factors")) << "it has no default";
  EXPECT_TRUE(settings("conv2d", {}).contains("grid")) << "twelve tokens are not a square";
  EXPECT_THROW(example_arrays(softmax(), settings("softmax", {{"causal", "banana"}})), std::invalid_argument);
}

TEST(ApplyMechanism, has_a_loss_that_is_the_sum_of_out_times_r) {
  const NamedArrays inputs = example_arrays(softmax(), {});
  const NamedArrays results = apply_mechanism(softmax(), inputs, with_gradients());
  const auto out = floating_values<double>(results.at("out"));
  const auto weights = floating_values<double>(inputs.at("R"));
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    sum += out[i] * weights[i];
    size += std::fabs(out[i] * weights[i]);
  }
  // Of either sign, as many roundings as terms add up like their root; here and there.
  const double rounding = 2 * 6 * std::sqrt(static_cast<double>(out.size())) * tests::unit_roundoff * size;
  EXPECT_NEAR(floating_values<double>(results.at("loss")).front(), sum, rounding);
}

TEST(ApplyMechanism, wants_r_of_the_outputs_shape_for_gradients) {
  const auto refusal = [](const NamedArrays& inputs) {
    return message_of<std::invalid_argument>([&] { apply_mechanism(softmax(), inputs, with_gradients()); });
  };
  NamedArrays inputs = example_arrays(softmax(), {});
  const std::string shape = shape_text(inputs.at("v").shape);
  inputs.erase("R");
  EXPECT_THAT(refusal(inputs), AllOf(HasSubstr("array R"), HasSubstr(shape)));
  const std::vector<double> one = {1};
  inputs["R"] = floating_array<double>({1}, one);
  EXPECT_THAT(refusal(inputs), AllOf(HasSubstr("R has the shape [1]"), HasSubstr(shape)));
}

TEST(ApplyMechanism, gives_lse_and_its_part_of_the_loss_and_gradients) {
  NamedArrays inputs = example_arrays(softmax(), {});
  ApplyPlan plan = with_gradients();
  plan.lse = true;
  const NamedArrays without = apply_mechanism(softmax(), inputs, plan);
  ASSERT_EQ(without.at("lse").shape, (std::vector<std::int64_t>{2, 4, 12}));
  const std::vector<double> ones(96, 1.0), lse = floating_values<double>(without.at("lse"));
  inputs["R_lse"] = floating_array<double>({2, 4, 12}, ones);
  const NamedArrays with = apply_mechanism(softmax(), inputs, plan);
  double sum = 0, size = 0;
  for (const double entry : lse) {
    sum += entry;
    size += std::fabs(entry);
  }
  EXPECT_NEAR(floating_values<double>(with.at("loss")).front(),
              floating_values<double>(without.at("loss")).front() + sum, 2 * 96 * tests::unit_roundoff * size);
  EXPECT_NE(with.at("grad.q"), without.at("grad.q"));
  EXPECT_EQ(with.at("grad.v"), without.at("grad.v"));
  EXPECT_THAT(
      message_of<std::invalid_argument>([&] { apply_mechanism(attention::find_mechanism("twicing"), inputs, plan); }),
      HasSubstr("twicing gives no lse"));
}

TEST(ApplyMechanism, is_the_same_in_either_layout) {
  const NamedArrays inputs = example_arrays(attention::find_mechanism("neutreno"), {});
  ApplyPlan plan = with_gradients();
  const NamedArrays expected = apply_mechanism(attention::find_mechanism("neutreno"), inputs, plan);
  NamedArrays turned = inputs;
  for (auto& [name, array] : turned) array = with_heads_and_tokens_exchanged(array);
  plan.layout = Layout::bnhd;
  for (const auto& [name, array] : apply_mechanism(attention::find_mechanism("neutreno"), turned, plan))
    EXPECT_EQ(array.shape.empty() ? array : with_heads_and_tokens_exchanged(array), expected.at(name)) << name;
}

TEST(ApplyMechanism, rounds_the_results_of_half_types_once) {
  const NamedArrays inputs = example_arrays(softmax(), {});
  for (const ElementType type : {ElementType::float16, ElementType::bfloat16}) {
    ApplyPlan plan = with_gradients();
    const NamedArrays exact = apply_mechanism(softmax(), rounded_inputs(inputs, type), plan);
    plan.type = type;
    for (const auto& [name, array] : apply_mechanism(softmax(), inputs, plan))
      EXPECT_EQ(array, rounded(exact.at(name), type)) << name;
  }
}

TEST(ApplyMechanism, refuses_what_overflows_instead_of_writing_infinity) {
  NamedArrays inputs = example_arrays(softmax(), {});
  const auto refusal = [&](ElementType type) {
    ApplyPlan plan = with_gradients();
    plan.type = type;
    return message_of<std::invalid_argument>([&] { apply_mechanism(softmax(), inputs, plan); });
  };
  const std::vector<double> large(384, 1e154);
  for (const char* name : {"q", "k"}) inputs[name] = floating_array<double>({2, 4, 12, 4}, large);
  EXPECT_THAT(refusal(ElementType::float64), HasSubstr("overflows float64"));
  EXPECT_THAT(refusal(ElementType::float16), AllOf(HasSubstr("k holds 1e+154"), HasSubstr("beyond float16")));
  inputs = example_arrays(softmax(), {});
  // The output is a mean of values; the gradients of queries and keys are products of R with them.
  const std::vector<double> values(288, 60000), weights(288, 60000);
  inputs["v"] = floating_array<double>({2, 4, 12, 3}, values);
  inputs["R"] = floating_array<double>({2, 4, 12, 3}, weights);
  EXPECT_THAT(refusal(ElementType::float16), HasSubstr("overflows float16"));
}

TEST(ExampleArrays, suit_every_mechanism) {
  for (const auto& mechanism : attention::mechanisms()) {
    attention::Settings settings;
    for (const auto& option : mechanism.options)
      if (option.fallback.empty()) settings[option.name] = option.example;
    const NamedArrays inputs = example_arrays(mechanism, settings);
    ApplyPlan plan = with_gradients();
    plan.settings = settings;
    // out, loss, and a gradient for every input but R.
    EXPECT_EQ(apply_mechanism(mechanism, inputs, plan).size(), 1 + inputs.size()) << mechanism.name;
    EXPECT_EQ(example_arrays(mechanism, settings), inputs);
  }
}

}  // namespace
}  // namespace attest::apply
