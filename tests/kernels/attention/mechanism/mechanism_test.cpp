#include "kernels/attention/mechanism/mechanism.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/attention/mechanism/option_reader.hpp"
#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"

namespace attest::attention {
namespace {

using plain::queries_keys_values;
using testing::HasSubstr;

template <typename F>
std::string refusal(F f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Mechanisms, have_different_names_and_describe_themselves) {
  std::set<std::string> names;
  for (const Mechanism& m : mechanisms()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name << " stands twice";
    EXPECT_FALSE(m.title.empty() || m.formula.empty() || m.source.empty()) << m.name;
  }
}

TEST(Mechanisms, cost_more_going_back_than_forth) {
  const CostShape shape{.batch = 2, .heads = 4, .queries = 12, .keys = 12, .dim = 4, .value_dim = 4};
  for (const Mechanism& m : mechanisms()) {
    Settings settings;
    for (const OptionSpec& option : m.options)
      if (option.fallback.empty()) settings[option.name] = option.example;
    const Cost cost = m.cost(shape, settings);
    EXPECT_GT(cost.forward_macs, 0) << m.name;
    EXPECT_GT(cost.forward_flops, 2 * cost.forward_macs) << m.name;
    EXPECT_GT(cost.backward_flops, cost.forward_flops) << m.name;
    EXPECT_GT(cost.backward_bytes, 0) << m.name;
  }
}

/// Averages of a constant are that constant: the rows of A sum to one.
TEST(Mechanisms, that_average_give_back_constant_values) {
  constexpr double constant = 2.5;
  // Twicing averages twice, and 2 V - A V rounds twice in between; its second average has the errors of the first.
  constexpr double rounding = constant * (2 * plain::average_rounding(9) + 2 * plain::unit_roundoff);
  for (const char* name :
       {"softmax", "twicing", "alibi", "kernel-regression", "attention-bn", "attention-bn-simplified", "attention-sh",
        "attention-bn-sh", "sparse", "sparse-bn-sh", "elliptical"}) {
    Call<double> call{queries_keys_values(2, 2, 9, 9, 4, 4), {}, {}, {}, 1};
    for (double& entry : call.inputs["v"].values()) entry = constant;
    for (const OptionSpec& option : find_mechanism(name).options)
      if (option.name == "factors") call.settings["factors"] = "2,4";
    const Tensor<double> out = evaluate(find_mechanism(name), call).out;
    for (const double entry : out.values()) ASSERT_NEAR(entry, constant, rounding) << name;
  }
}

TEST(FindMechanism, names_the_nearest_when_there_is_none) {
  EXPECT_EQ(find_mechanism("conv2d").name, "conv2d");
  EXPECT_THAT(refusal([] { find_mechanism("sofmax"); }), AllOf(HasSubstr("sofmax"), HasSubstr("softmax")));
  EXPECT_THAT(refusal([] { find_mechanism("attention-nb"); }), HasSubstr("attention-bn"));
}

TEST(Evaluate, refuses_a_causal_mask_where_the_future_would_be_seen) {
  for (const char* name : {"attention-sh", "nystromformer", "linear-bn"}) {
    Call<double> call{queries_keys_values(1, 2, 6, 6, 4, 4), {}, {}, {}, 1};
    if (std::string(name) == "attention-sh") call.settings["factors"] = "2";
    call.settings["causal"] = "true";
    EXPECT_THAT(refusal([&] { evaluate(find_mechanism(name), call); }), HasSubstr("causal")) << name;
    call.settings.erase("causal");
    call.mask.causal = true;
    EXPECT_THAT(refusal([&] { evaluate(find_mechanism(name), call); }), HasSubstr("causal")) << name;
  }
}

TEST(Evaluate, refuses_dropout_where_no_weights_are_formed_and_rates_out_of_range) {
  Call<double> call{queries_keys_values(1, 2, 6, 6, 4, 4), {}, {}, {.rate = 0.5}, 1};
  EXPECT_THAT(refusal([&] { evaluate(find_mechanism("linear"), call); }), HasSubstr("dropout"));
  EXPECT_EQ(refusal([&] { evaluate(find_mechanism("softmax"), call); }), "accepted");
  call.dropout.rate = 1;
  EXPECT_THAT(refusal([&] { evaluate(find_mechanism("softmax"), call); }), HasSubstr("dropout"));
}

TEST(Evaluate, drops_the_same_weights_in_both_passes_of_twicing_and_in_sparse_and_dense_attention) {
  Call<double> call{queries_keys_values(1, 2, 6, 6, 4, 4), {}, {}, {.rate = 0.5, .seed = 3}, 1};
  call.mask.visible.assign(36, 1);
  // Relative to the largest output, of which dropout and cancellation leave a quarter of the largest value at least.
  const double rounding = 4 * plain::attention_rounding(call.inputs["q"], call.inputs["k"]);
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("sparse"), call).out,
                                     evaluate(find_mechanism("softmax"), call).out),
            rounding);
  // A alone: the output for the identity as values; then (2A - A^2) V in full.
  Call<double> identity = call;
  Tensor<double> unit({1, 2, 6, 6});
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 6; ++i) unit.at(0, h, i, i) = 1;
  identity.inputs["v"] = unit;
  const Tensor<double> a = evaluate(find_mechanism("softmax"), identity).out;
  const Tensor<double>& v = call.inputs["v"];
  Tensor<double> expected({1, 2, 6, 4});
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j) {
        double weight = 2 * a.at(0, h, i, j);
        for (Index l = 0; l < 6; ++l) weight -= a.at(0, h, i, l) * a.at(0, h, l, j);
        for (Index d = 0; d < 4; ++d) expected.at(0, h, i, d) += weight * v.at(0, h, j, d);
      }
  // Three products with A, each with its error.
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("twicing"), call).out, expected), 3 * rounding);
}

const std::vector<OptionSpec> specs = {
    {"beta", "1", "", "0.6"}, {"causal", "false", "", "true"}, {"factors", "1", "", "1,2"}, {"rule", "a", "", "b"}};

TEST(OptionReader, reads_what_was_written_or_the_default) {
  const Settings settings{{"beta", "-2.5e1"}, {"factors", "1,2,40"}, {"causal", "yes"}};
  const Settings nothing;
  const OptionReader read(specs, settings), defaults(specs, nothing);
  EXPECT_EQ(read.number("beta", -100, 100), -25);
  EXPECT_EQ(defaults.number("beta", -100, 100), 1);
  EXPECT_TRUE(read.flag("causal"));
  EXPECT_FALSE(defaults.flag("causal"));
  EXPECT_EQ(read.integers("factors", 1), (std::vector<Index>{1, 2, 40}));
  EXPECT_EQ(defaults.choice("rule", {"a", "b"}), "a");
}

TEST(OptionReader, refuses_by_a_sentence_that_names_the_option_the_value_and_the_fix) {
  const Settings settings{{"beta", "1.5x"}, {"factors", "1,,2"}, {"causal", "maybe"}, {"rule", "c"}};
  const OptionReader read(specs, settings);
  EXPECT_EQ(refusal([&] { read.number("beta", 0, 1); }), "option beta=1.5x: give a number from 0 to 1");
  EXPECT_EQ(refusal([&] { read.flag("causal"); }), "option causal=maybe: give true or false");
  EXPECT_THAT(refusal([&] { read.integers("factors", 1); }), HasSubstr("1,,2"));
  EXPECT_EQ(refusal([&] { read.choice("rule", {"a", "b"}); }), "option rule=c: give one of a, b");
  for (const char* beta : {"", "nan", "inf", "2"})
    EXPECT_NE(refusal([&] {
                const Settings wrong{{"beta", beta}};
                OptionReader(specs, wrong).number("beta", 0, 1);
              }),
              "accepted")
        << beta;
}

}  // namespace
}  // namespace attest::attention
