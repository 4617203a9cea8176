// Softmax attention beyond its formula: its lse and the gradients by it, poison in masked tokens, and overflow.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"
#include "tests/kernels/attention/random_arrays.hpp"

namespace attest::attention {
namespace {

using plain::normal_array, plain::queries_keys_values, plain::scaled_difference;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

const Mechanism& softmax() { return find_mechanism("softmax"); }

/// By tiles, and by rows.
const std::vector<Settings> both_paths = {{{"causal", "true"}}, {{"causal", "true"}, {"window", "100,100"}}};

Call<double> call_of(const Settings& settings, Mask mask = {}) {
  return {queries_keys_values(2, 3, 70, 70, 4, 4), settings, std::move(mask), {}, 1};
}

TEST(SoftmaxLse, is_the_logarithm_of_the_sum_of_exponentials) {
  for (const Settings& settings : both_paths) {
    const Call<double> call = call_of(settings);
    const Tensor<double>&q = call.inputs.at("q"), &k = call.inputs.at("k");
    const Evaluation<double> evaluation = evaluate(softmax(), call);
    ASSERT_EQ(evaluation.lse.shape(), (Shape{2, 3, 70}));
    Tensor<double> expected({2, 3, 70});
    for (Index row = 0; row < expected.size(); ++row) {
      double sum = 0;
      for (Index j = 0; j <= row % 70; ++j) {
        double dot = 0;
        for (Index d = 0; d < 4; ++d)
          dot += q.at(row / 210, row / 70 % 3, row % 70, d) * k.at(row / 210, row / 70 % 3, j, d);
        sum += std::exp(dot / 2);
      }
      expected.data()[row] = std::log(sum);
    }
    EXPECT_LE(scaled_difference(evaluation.lse, expected), plain::attention_rounding(q, k));
  }
}

/// d sum(lse g) = sum_i g_i sum_j A_ij d logit_ij: for queries that is attention with the keys as values, for keys the
/// gradient of values under dout_i = g_i q_i.
TEST(SoftmaxLse, has_the_gradients_of_its_formula) {
  for (const Settings& settings : both_paths) {
    const Call<double> call = call_of(settings);
    const Tensor<double>&q = call.inputs.at("q"), &k = call.inputs.at("k");
    Evaluation<double> evaluation = evaluate(softmax(), call);
    const Tensor<double> dlse = normal_array("dlse", evaluation.lse.shape());
    Call<double> keys_as_values = call;
    keys_as_values.inputs["v"] = k;
    Evaluation<double> of_keys = evaluate(softmax(), keys_as_values);
    Tensor<double> dq = of_keys.out, dout = q;
    for (Index e = 0; e < dq.size(); ++e) {
      dq.data()[e] *= dlse.data()[e / 4] / 2;
      dout.data()[e] *= dlse.data()[e / 4] / 2;
    }
    const Tensor<double> dk = of_keys.backward(dout).at("v");
    const Arrays<double> gradients = evaluation.backward_with_lse(Tensor<double>(evaluation.out.shape()), dlse);
    const double rounding = 4 * plain::attention_rounding(q, k);
    EXPECT_LE(scaled_difference(gradients.at("q"), dq), rounding);
    EXPECT_LE(scaled_difference(gradients.at("k"), dk), rounding);
    for (const double entry : gradients.at("v").values()) EXPECT_EQ(entry, 0);
  }
}

/// With everything that changes logits, along a random direction of every input.
TEST(SoftmaxLse, has_gradients_that_differences_confirm) {
  Call<double> call{
      queries_keys_values(2, 2, 5, 6, 4, 3), {{"softcap", "1.5"}, {"window", "3,2"}}, {.key_lengths = {6, 0}}, {}, 1};
  call.inputs["sinks"] = normal_array("sinks", {2});
  call.inputs["slopes"] = normal_array("slopes", {2});
  call.inputs["bias"] = normal_array("bias", {2, 1, 5, 6});
  const Tensor<double> dout = normal_array("R", {2, 2, 5, 3}), dlse = normal_array("R_lse", {2, 2, 5});
  const auto loss = [&](const Call<double>& moved) {
    const Evaluation<double> evaluation = evaluate(softmax(), moved);
    return inner_product(evaluation.out, dout) + inner_product(evaluation.lse, dlse);
  };
  const Arrays<double> gradients = evaluate(softmax(), call).backward_with_lse(dout, dlse);
  ASSERT_EQ(gradients.size(), call.inputs.size());
  for (const auto& [name, gradient] : gradients) {
    const Tensor<double> direction = normal_array("direction", gradient.shape());
    const auto moved = [&, &name = name](double t) {
      Call<double> other = call;
      Tensor<double>& array = other.inputs[name];
      for (Index e = 0; e < array.size(); ++e) array.data()[e] += t * direction.data()[e];
      return loss(other);
    };
    constexpr double h = 0x1p-11;
    const double measured = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    const double claimed = inner_product(gradient, direction);
    // A fifth derivative below 10^5 for directions of length 10, and the rounding of the loss.
    constexpr double truncation = h * h * h * h / 30 * 1e5, rounding = 1.5 / h * 1e-14;
    EXPECT_NEAR(measured, claimed, (truncation + rounding) * std::max(1.0, std::abs(claimed))) << name;
  }
}

struct Hiding {
  std::string name;
  Call<double> call;
  std::vector<Index> tokens;  ///< hidden in sequence 0
};

std::vector<Hiding> hidden_tokens() {
  const Arrays<double> fewer_queries = queries_keys_values(2, 2, 3, 9, 4, 3);
  Mask columns;
  for (Index e = 0; e < 27; ++e) columns.visible.push_back(e % 9 != 2 && e % 9 != 8);
  Call<double> biased{fewer_queries, {}, {}, {}, 1};
  biased.inputs["bias"] = Tensor<double>({3, 9});
  for (Index e = 0; e < 27; ++e)
    if (e % 9 == 5) biased.inputs["bias"].data()[e] = -infinity;
  return {{"padding", {queries_keys_values(2, 2, 9, 9, 4, 3), {}, {.key_lengths = {6, 9}}, {}, 1}, {6, 7, 8}},
          {"causal", {fewer_queries, {{"causal", "true"}}, {}, {}, 1}, {3, 8}},
          {"window", {fewer_queries, {{"window", "1"}, {"alignment", "bottom-right"}}, {}, {}, 1}, {0, 4}},
          {"mask", {fewer_queries, {}, columns, {}, 1}, {2, 8}},
          {"bias", biased, {5}},
          {"packing", {fewer_queries, {}, {.query_starts = {0, 3, 3}, .key_starts = {0, 7, 9}}, {}, 1}, {7, 8}}};
}

/// The same call with a value in the hidden tokens of sequence 0.
Call<double> poisoned(const Hiding& hiding, double poison) {
  Call<double> call = hiding.call;
  for (const char* name : {"k", "v"}) {
    Tensor<double>& array = call.inputs[name];
    for (Index h = 0; h < array.extent(1); ++h)
      for (const Index j : hiding.tokens)
        for (Index d = 0; d < array.extent(3); ++d) array.at(0, h, j, d) = poison;
  }
  return call;
}

TEST(SoftmaxPoison, in_hidden_tokens_changes_no_bit_of_outputs_and_gradients) {
  for (const Hiding& hiding : hidden_tokens())
    for (const double poison : {nan, infinity, -infinity, 1e30}) {
      Evaluation<double> clean = evaluate(softmax(), hiding.call),
                         other = evaluate(softmax(), poisoned(hiding, poison));
      EXPECT_EQ(clean.out, other.out) << hiding.name << " " << poison;
      EXPECT_EQ(clean.lse, other.lse) << hiding.name << " " << poison;
      const Tensor<double> dout = normal_array("R", clean.out.shape());
      EXPECT_EQ(clean.backward(dout), other.backward(dout)) << hiding.name << " " << poison;
    }
}

TEST(SoftmaxPoison, in_a_token_that_a_query_sees_is_refused) {
  for (Hiding hiding : hidden_tokens()) {
    hiding.tokens = {1};
    if (hiding.name == "window") hiding.tokens = {7};
    EXPECT_THROW(evaluate(softmax(), poisoned(hiding, nan)), std::invalid_argument) << hiding.name;
  }
}

/// Of the general path itself: what one query may not see does not depend on what another sees.
TEST(SoftmaxPoison, reaches_by_rows_only_the_queries_that_see_it) {
  Arrays<double> arrays = queries_keys_values(1, 1, 5, 5, 4, 3);
  AttendOptions<double> options;
  options.mask.causal = true;
  options.softcap = 30;  // which the tiles do not know
  const Tensor<double> clean = attend(arrays["q"], arrays["k"], arrays["v"], options).out;
  arrays["v"].at(0, 0, 3, 1) = nan;
  const Tensor<double> out = attend(arrays["q"], arrays["k"], arrays["v"], options).out;
  for (Index i = 0; i < 5; ++i) EXPECT_EQ(out.at(0, 0, i, 1) == clean.at(0, 0, i, 1), i < 3) << i;
}

template <typename T>
std::string refusal_of(const Call<T>& call) {
  try {
    evaluate(softmax(), call);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SoftmaxOverflow, is_refused_by_a_sentence) {
  for (const Settings& settings : both_paths) {
    Call<double> call = call_of(settings);
    for (const char* name : {"q", "k"})
      for (double& entry : call.inputs[name].values()) entry = 1e154;
    EXPECT_THAT(refusal_of(call), testing::HasSubstr("overflows float64"));
    // The product of the two is far from overflow.
    for (double& entry : call.inputs["k"].values()) entry = 1e-154;
    EXPECT_EQ(refusal_of(call), "accepted");
  }
}

TEST(SoftmaxOverflow, of_logits_beyond_float_is_refused_too) {
  Call<float> call{{}, {}, {}, {}, 1};
  for (const char* name : {"q", "k", "v"})
    call.inputs[name] = Tensor<float>({1, 1, 2, 4}, std::vector<float>(8, 1e20F));
  EXPECT_THAT(refusal_of(call), testing::HasSubstr("overflows float32"));
}

}  // namespace
}  // namespace attest::attention
