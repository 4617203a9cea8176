// Every option of softmax attention against its formula in plain loops, values and gradients, alone and together.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/attention/stages/slopes.hpp"
#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"

namespace attest::attention {
namespace {

using plain::Array, plain::expect_formula, plain::normal_array, plain::Problem, plain::queries_keys_values,
    plain::Traced, plain::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// What the settings of a call ask for, written down a second time for the formula.
struct Rules {
  double scale = 0;  ///< 0: 1/sqrt(D)
  bool causal = false, bottom_right = false, mean_of_empty = false;
  Index left = -1, right = -1;
  double softcap = 0;
};

/// The packed sequence of a token, and its place in it; one sequence without `starts`.
struct Place {
  Index sequence = 0, at = 0, length = 0;
};
Place place_of(const std::vector<Index>& starts, Index token, Index tokens) {
  if (starts.empty()) return {0, token, tokens};
  std::size_t s = 0;
  while (starts[s + 1] <= token) ++s;
  return {static_cast<Index>(s), token - starts[s], starts[s + 1] - starts[s]};
}

/// Distance of key j from the diagonal key of query i; nothing to see across packed sequences.
struct Pair {
  bool together = true;
  Index distance = 0;
};
Pair pair_of(const Rules& rules, const Mask& mask, Index i, Index j, Index queries, Index keys) {
  const Place q = place_of(mask.query_starts, i, queries), k = place_of(mask.key_starts, j, keys);
  return {q.sequence == k.sequence, k.at - q.at - (rules.bottom_right ? k.length - q.length : 0)};
}

bool sees(const Rules& rules, const Problem<Traced>& p, Index b, Index h, Index i, Index j) {
  const Index queries = p.extent("q", 2), keys = p.extent("k", 2);
  const Pair pair = pair_of(rules, p.mask, i, j, queries, keys);
  if (!pair.together || j >= p.length(b, keys)) return false;
  if (rules.causal && pair.distance > 0) return false;
  if (rules.left >= 0 && -pair.distance > rules.left) return false;
  if (rules.right >= 0 && pair.distance > rules.right) return false;
  if (p.mask.visible.empty()) return true;
  const Index plane =
      (p.mask.visible_sequences > 1 ? b : 0) * p.mask.visible_heads + (p.mask.visible_heads > 1 ? h : 0);
  return p.mask.visible[static_cast<std::size_t>((plane * queries + i) * keys + j)] != 0;
}

/// Entry (b, h, i, j) of a bias of any of its shapes.
Traced bias_at(const Array<Traced>& bias, Index b, Index h, Index i, Index j) {
  const std::size_t rank = bias.shape.size();
  const Index queries = bias.shape[rank - 2], keys = bias.shape[rank - 1];
  const Index heads = rank > 2 ? bias.shape[rank - 3] : 1, sequences = rank > 3 ? bias.shape[0] : 1;
  const Index plane = (sequences > 1 ? b : 0) * heads + (heads > 1 ? h : 0);
  return bias.entries[static_cast<std::size_t>((plane * queries + i) * keys + j)];
}

Traced capped(const Traced& x, double cap) {  // c tanh(x/c)
  if (cap == 0) return x;
  return Traced(cap) * (Traced(1) - Traced(2) / (exponent(x * Traced(2 / cap)) + Traced(1)));
}

/// The output of one query.
std::vector<Traced> row(const Rules& rules, const Problem<Traced>& p, Index b, Index h, Index i) {
  const Array<Traced>&q = p["q"], &k = p["k"], &v = p["v"];
  const Index heads = q.shape[1], queries = q.shape[2], dim = q.shape[3], key_heads = k.shape[1], keys = k.shape[2],
              value_dim = v.shape[3], group = h / (heads / key_heads);
  const double scale = rules.scale == 0 ? 1 / std::sqrt(static_cast<double>(dim)) : rules.scale;
  std::vector<Index> seen;
  std::vector<Traced> logits;
  Traced largest(-infinity), sum(0);
  for (Index j = 0; j < keys; ++j) {
    if (!sees(rules, p, b, h, i, j)) continue;
    Traced x(0);
    for (Index d = 0; d < dim; ++d)
      x = x + q.entries[static_cast<std::size_t>(((b * heads + h) * queries + i) * dim + d)] *
                  k.entries[static_cast<std::size_t>(((b * key_heads + group) * keys + j) * dim + d)];
    x = capped(x * Traced(scale), rules.softcap);
    if (p.has("slopes"))
      x = x - p.number("slopes", h) *
                  Traced(std::abs(static_cast<double>(pair_of(rules, p.mask, i, j, queries, keys).distance)));
    if (p.has("bias")) x = x + bias_at(p["bias"], b, h, i, j);
    seen.push_back(j);
    logits.push_back(x);
    largest = maximum(largest, x);
  }
  std::vector<Traced> out(static_cast<std::size_t>(value_dim), Traced(0));
  if (p.has("sinks")) {
    largest = maximum(largest, p.number("sinks", h));
    sum = exponent(p.number("sinks", h) - largest);
  }
  for (const Traced& x : logits) sum = sum + exponent(x - largest);
  const bool is_mean = seen.empty() && rules.mean_of_empty && !p.has("sinks");
  for (Index j = 0; j < keys && is_mean; ++j) seen.push_back(j);
  for (std::size_t n = 0; n < seen.size(); ++n) {
    Traced weight = is_mean ? Traced(1 / static_cast<double>(keys)) : exponent(logits[n] - largest) / sum;
    if (p.has("dropout_mask"))
      weight = weight *
               p["dropout_mask"].entries[static_cast<std::size_t>(((b * heads + h) * queries + i) * keys + seen[n])];
    for (std::size_t d = 0; d < out.size(); ++d)
      out[d] = out[d] +
               weight * v.entries[static_cast<std::size_t>((b * key_heads + group) * keys + seen[n]) * out.size() + d];
  }
  return out;
}

plain::Formula formula(Rules rules) {
  return [rules](const Problem<Traced>& p) {
    const Shape& q = p["q"].shape;
    Array<Traced> out{{q[0], q[1], q[2], p["v"].shape[3]}, {}};
    for (Index b = 0; b < q[0]; ++b)
      for (Index h = 0; h < q[1]; ++h)
        for (Index i = 0; i < q[2]; ++i)
          for (const Traced& entry : row(rules, p, b, h, i)) out.entries.push_back(entry);
    return out;
  };
}

/// Two sequences, four heads of queries and `key_heads` of keys.
Arrays<double> inputs(Index queries, Index keys, Index key_heads = 4) {
  Arrays<double> arrays = queries_keys_values(2, 4, queries, keys, 4, 3);
  arrays["k"] = normal_array("k", {2, key_heads, keys, 4});
  arrays["v"] = normal_array("v", {2, key_heads, keys, 3});
  return arrays;
}

Call<double> call_of(Arrays<double> arrays, Settings settings = {}, Mask mask = {}) {
  return {std::move(arrays), std::move(settings), std::move(mask), {}, 1};
}

TEST(SoftmaxOptions, grouped_and_multi_query_heads_read_the_keys_of_their_group) {
  for (const Index key_heads : {4, 2, 1})
    for (const char* causal : {"false", "true"})
      expect_formula("softmax", call_of(inputs(5, 6, key_heads), {{"causal", causal}}),
                     formula({.causal = causal == std::string("true")}));
}

TEST(SoftmaxOptions, a_scale_replaces_that_by_the_width) {
  expect_formula("softmax", call_of(inputs(5, 6), {{"scale", "0.3"}}), formula({.scale = 0.3}));
  expect_formula("softmax", call_of(inputs(5, 6), {{"scale", "-2"}}), formula({.scale = -2}));
}

TEST(SoftmaxOptions, causal_masks_are_aligned_to_either_corner) {
  for (const auto& [queries, keys] : {std::pair<Index, Index>{4, 7}, {7, 4}, {5, 5}}) {
    expect_formula("softmax", call_of(inputs(queries, keys), {{"causal", "true"}}), formula({.causal = true}));
    expect_formula("softmax", call_of(inputs(queries, keys), {{"causal", "true"}, {"alignment", "bottom-right"}}),
                   formula({.causal = true, .bottom_right = true}));
  }
}

TEST(SoftmaxOptions, the_last_query_sees_all_keys_where_bottom_right_and_alignments_agree_for_square_matrices) {
  const Settings bottom_right{{"causal", "true"}, {"alignment", "bottom-right"}};
  const auto out = [&](Index queries, const Settings& settings) {
    return evaluate(find_mechanism("softmax"), call_of(inputs(queries, 6), settings)).out;
  };
  EXPECT_EQ(out(6, bottom_right), out(6, {{"causal", "true"}}));
  EXPECT_LE(plain::scaled_difference(out(1, bottom_right), out(1, {})),
            plain::attention_rounding(inputs(1, 6).at("q"), inputs(1, 6).at("k")));
}

TEST(SoftmaxOptions, a_window_slides_along_the_diagonal) {
  for (const auto& [queries, keys] : {std::pair<Index, Index>{6, 6}, {4, 7}, {7, 4}})
    for (const bool bottom_right : {false, true}) {
      const char* alignment = bottom_right ? "bottom-right" : "top-left";
      expect_formula("softmax", call_of(inputs(queries, keys), {{"window", "2,1"}, {"alignment", alignment}}),
                     formula({.bottom_right = bottom_right, .left = 2, .right = 1}));
      expect_formula("softmax",
                     call_of(inputs(queries, keys), {{"window", "1"}, {"causal", "true"}, {"alignment", alignment}}),
                     formula({.causal = true, .bottom_right = bottom_right, .left = 1, .right = 1}));
      expect_formula("softmax", call_of(inputs(queries, keys), {{"window", "-1,0"}, {"alignment", alignment}}),
                     formula({.bottom_right = bottom_right, .right = 0}));
    }
}

TEST(SoftmaxOptions, a_softcap_bounds_the_logits_before_bias_and_mask) {
  Arrays<double> arrays = inputs(5, 6);
  arrays["bias"] = normal_array("bias", {4, 5, 6});
  for (double& entry : arrays["bias"].values()) entry *= 4;  // beyond the cap, so that the order matters
  expect_formula("softmax", call_of(arrays, {{"softcap", "0.5"}, {"causal", "true"}}),
                 formula({.causal = true, .softcap = 0.5}));
}

TEST(SoftmaxOptions, a_sink_takes_mass_and_learns) {
  Arrays<double> arrays = inputs(5, 6, 2);
  arrays["sinks"] = normal_array("sinks", {4});
  expect_formula("softmax", call_of(arrays), formula({}));
  Mask padded;
  padded.key_lengths = {3, 0};  // the second sequence has its sink alone
  expect_formula("softmax", call_of(arrays, {}, padded), formula({}));
}

TEST(SoftmaxOptions, a_sink_far_below_all_logits_takes_nothing) {
  Arrays<double> arrays = inputs(5, 6);
  arrays["sinks"] = Tensor<double>({4}, {-1e4, -1e4, -1e4, -1e4});
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("softmax"), call_of(arrays)).out,
                                     evaluate(find_mechanism("softmax"), call_of(inputs(5, 6))).out),
            plain::attention_rounding(arrays.at("q"), arrays.at("k")));
}

TEST(SoftmaxOptions, a_bias_of_every_shape_is_added_and_learns) {
  for (const Shape& shape : {Shape{4, 5, 6}, Shape{5, 6}, Shape{2, 1, 5, 6}, Shape{2, 4, 5, 6}}) {
    Arrays<double> arrays = inputs(5, 6, 2);
    arrays["bias"] = normal_array("bias", shape);
    expect_formula("softmax", call_of(arrays), formula({}));
  }
}

TEST(SoftmaxOptions, minus_infinity_in_a_bias_hides_like_a_mask) {
  for (const Shape& shape : {Shape{4, 5, 6}, Shape{5, 6}, Shape{2, 4, 5, 6}}) {
    Call<double> hiding = call_of(inputs(5, 6));
    Tensor<double> bias(shape);
    Mask mask;
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 6; ++j) mask.visible.push_back(i != 2 && (i + 2 * j) % 3 != 0);
    for (Index e = 0; e < bias.size(); ++e)
      bias.data()[e] = mask.visible[static_cast<std::size_t>(e % 30)] != 0 ? 0 : -infinity;
    hiding.inputs["bias"] = bias;
    Evaluation<double> a = evaluate(find_mechanism("softmax"), hiding),
                       b = evaluate(find_mechanism("softmax"), call_of(inputs(5, 6), {}, mask));
    const double rounding = plain::attention_rounding(hiding.inputs.at("q"), hiding.inputs.at("k"));
    EXPECT_LE(plain::scaled_difference(a.out, b.out), rounding);
    EXPECT_EQ(a.lse.values()[2], -infinity);
    const Tensor<double> dout = normal_array("R", a.out.shape());
    const Arrays<double> of_a = a.backward(dout), of_b = b.backward(dout);
    for (const char* name : {"q", "k", "v"})
      EXPECT_LE(plain::scaled_difference(of_a.at(name), of_b.at(name)), 4 * rounding) << name;
  }
}

TEST(SoftmaxOptions, a_mask_may_differ_between_sequences_and_heads) {
  for (const auto& [sequences, heads] : {std::pair<Index, Index>{2, 1}, {2, 4}, {1, 4}}) {
    Mask mask{.visible_sequences = sequences, .visible_heads = heads};
    for (Index e = 0; e < sequences * heads * 30; ++e) mask.visible.push_back(e / 6 % 7 != 3 && e * 5 % 11 < 7);
    expect_formula("softmax", call_of(inputs(5, 6, 2), {}, mask), formula({}));
  }
}

TEST(SoftmaxOptions, packed_sequences_see_themselves_alone) {
  Mask packed;
  packed.query_starts = {0, 2, 2, 5, 7};
  packed.key_starts = {0, 3, 4, 4, 8};  // the third packed sequence has queries and no keys
  for (const bool causal : {false, true})
    for (const bool bottom_right : {false, true}) {
      Arrays<double> arrays = inputs(7, 8, 2);
      arrays["slopes"] = normal_array("slopes", {4});
      expect_formula("softmax",
                     call_of(arrays,
                             {{"causal", causal ? "true" : "false"},
                              {"window", "1,2"},
                              {"alignment", bottom_right ? "bottom-right" : "top-left"}},
                             packed),
                     formula({.causal = causal, .bottom_right = bottom_right, .left = 1, .right = 2}));
    }
}

TEST(SoftmaxOptions, slopes_are_those_of_alibi_and_learn) {
  for (const bool bottom_right : {false, true}) {
    Arrays<double> arrays = inputs(5, 7);
    arrays["slopes"] = normal_array("slopes", {4});
    expect_formula("softmax", call_of(arrays, {{"alignment", bottom_right ? "bottom-right" : "top-left"}}),
                   formula({.bottom_right = bottom_right}));
  }
  Arrays<double> arrays = inputs(6, 6);
  arrays["slopes"] = Tensor<double>({4}, alibi_slopes(4));
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("softmax"), call_of(arrays)).out,
                                     evaluate(find_mechanism("alibi"), call_of(inputs(6, 6))).out),
            plain::attention_rounding(arrays.at("q"), arrays.at("k")));
}

TEST(SoftmaxOptions, a_given_dropout_mask_multiplies_the_weights_after_the_softmax) {
  Arrays<double> arrays = inputs(5, 6, 2);
  Tensor<double>& factors = arrays["dropout_mask"] = Tensor<double>({2, 4, 5, 6});
  constexpr float kept = 1 / 0.75F;  // exact in both precisions
  for (Index e = 0; e < factors.size(); ++e) factors.data()[e] = e * 7 % 10 < 3 ? 0 : static_cast<double>(kept);
  expect_formula("softmax", call_of(arrays), formula({}));
}

TEST(SoftmaxOptions, together_are_their_formula) {
  Arrays<double> arrays = inputs(7, 8, 2);
  arrays["sinks"] = normal_array("sinks", {4});
  arrays["slopes"] = normal_array("slopes", {4});
  arrays["bias"] = normal_array("bias", {2, 1, 7, 8});
  arrays["dropout_mask"] = normal_array("dropout_mask", {2, 4, 7, 8});
  Mask mask{.key_lengths = {8, 6}};
  for (Index e = 0; e < 56; ++e) mask.visible.push_back(e * 5 % 7 != 3);
  expect_formula(
      "softmax",
      call_of(
          arrays,
          {{"scale", "0.7"}, {"causal", "true"}, {"alignment", "bottom-right"}, {"window", "4,0"}, {"softcap", "2"}},
          mask),
      formula({.scale = 0.7, .causal = true, .bottom_right = true, .left = 4, .right = 0, .softcap = 2}));
}

TEST(SoftmaxOptions, of_the_other_mechanisms_are_their_formula) {
  const Settings settings{{"scale", "0.3"}, {"window", "2,1"}, {"softcap", "1.5"}};
  const Rules rules{.scale = 0.3, .left = 2, .right = 1, .softcap = 1.5};
  const Arrays<double> square = queries_keys_values(2, 4, 6, 6, 4, 3);
  expect_formula("graph-diffusion", call_of(square, settings), [&](const Problem<Traced>& p) {
    Array<Traced> out = formula(rules)(p);
    for (std::size_t e = 0; e < out.entries.size(); ++e) out.entries[e] = out.entries[e] - p["v"].entries[e];
    return out;
  });
  expect_formula("twicing", call_of(square, settings), [&](const Problem<Traced>& p) {
    Array<Traced> once = formula(rules)(p);
    Problem<Traced> reflected = p;
    for (std::size_t e = 0; e < once.entries.size(); ++e)
      reflected.inputs.at("v").entries[e] = Traced(2) * p["v"].entries[e] - once.entries[e];
    return formula(rules)(reflected);
  });
  for (const Index key_heads : {4, 1})
    expect_formula("alibi", call_of(inputs(5, 7, key_heads), settings), [&](const Problem<Traced>& p) {
      Problem<Traced> with_slopes = p;
      Array<Traced> slopes{{4}, {}};
      for (const double slope : alibi_slopes(4)) slopes.entries.emplace_back(slope);
      with_slopes.inputs.emplace("slopes", slopes);
      return formula(rules)(with_slopes);
    });
}

TEST(SoftmaxOptions, an_empty_row_is_zero_or_nan_or_the_mean_and_its_lse_is_minus_infinity) {
  Mask mask{.key_lengths = {6, 0}};
  expect_formula("softmax", call_of(inputs(5, 6, 2), {{"empty_rows", "mean"}}, mask), formula({.mean_of_empty = true}));
  for (const char* convention : {"zero", "nan", "mean"}) {
    Evaluation<double> evaluation =
        evaluate(find_mechanism("softmax"), call_of(inputs(5, 6), {{"empty_rows", convention}}, mask));
    EXPECT_TRUE(std::isfinite(evaluation.lse.values().front()));
    EXPECT_EQ(evaluation.lse.values().back(), -infinity) << convention;
    EXPECT_EQ(std::isnan(evaluation.out.values().back()), convention == std::string("nan"));
    EXPECT_EQ(evaluation.out.values().back() == 0, convention == std::string("zero"));
    EXPECT_TRUE(std::isfinite(evaluation.out.values().front()));
    for (const auto& [name, gradient] : evaluation.backward(normal_array("R", evaluation.out.shape())))
      for (const double entry : gradient.values()) EXPECT_TRUE(std::isfinite(entry)) << name;
  }
}

}  // namespace
}  // namespace attest::attention
