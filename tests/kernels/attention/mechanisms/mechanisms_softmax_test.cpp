// Mechanisms around one softmax attention, against their formulas.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "kernels/attention/stages/slopes.hpp"
#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"

namespace attest::attention {
namespace {

using plain::Array, plain::expect_formula, plain::Matrix, plain::normal_array, plain::positive_array, plain::Problem,
    plain::product, plain::queries_keys_values, plain::Traced;

Traced scale(const Problem<Traced>& p) { return Traced(1 / std::sqrt(static_cast<double>(p.extent("q", 3)))); }

/// f(A, V, b, h) of every head, A = softmax(QK^T/sqrt(D) + bias).
template <typename F>
plain::Formula of_weights(F f) {
  return [f](const Problem<Traced>& p) {
    return plain::heads<Traced>(p.extent("q", 0), p.extent("q", 1), [&](Index b, Index h) {
      const Matrix<Traced> q = p.head("q", b, h), k = p.head("k", b, h);
      Matrix<Traced> bias;
      if (p.has("bias")) bias = p.head("bias", b, h);
      return f(p, plain::head_weights(p, b, q, k, scale(p), p.has("bias") ? &bias : nullptr), p.head("v", b, h), b, h);
    });
  };
}

const plain::Formula softmax_formula = of_weights([](const Problem<Traced>&, const Matrix<Traced>& a,
                                                     const Matrix<Traced>& v, Index, Index) { return product(a, v); });

const plain::Formula twicing_formula =
    of_weights([](const Problem<Traced>&, const Matrix<Traced>& a, const Matrix<Traced>& v, Index, Index) {
      const Matrix<Traced> u = product(a, v);
      return u + product(a, v - u);
    });

/// Full, causal, with padding, with a mask that leaves one query without keys.
std::vector<Call<double>> masked_calls(const Arrays<double>& inputs) {
  const Index batch = inputs.find("q")->second.extent(0), queries = inputs.find("q")->second.extent(2),
              keys = inputs.find("k")->second.extent(2);
  Mask padded, visible;
  for (Index b = 0; b < batch; ++b) padded.key_lengths.push_back(b == 0 ? keys : keys / 2);
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j) visible.visible.push_back(i != 1 && (i + 2 * j) % 3 != 0);
  return {{inputs, {}, {}, {}, 1},
          {inputs, {{"causal", "true"}}, {}, {}, 1},
          {inputs, {}, padded, {}, 1},
          {inputs, {}, visible, {}, 1}};
}

TEST(SoftmaxMechanism, is_its_formula) {
  for (const auto& call : masked_calls(queries_keys_values(2, 3, 5, 7, 4, 3)))
    expect_formula("softmax", call, softmax_formula);
}

TEST(SoftmaxMechanism, adds_a_bias_and_gives_its_gradient) {
  Arrays<double> inputs = queries_keys_values(2, 3, 5, 7, 4, 3);
  inputs.emplace("bias", normal_array("bias", {3, 5, 7}));
  for (const auto& call : masked_calls(inputs)) expect_formula("softmax", call, softmax_formula);
}

TEST(TwicingMechanism, is_its_formula) {
  for (const Index tokens : {1, 2, 3, 6}) {
    Arrays<double> inputs = queries_keys_values(2, 2, tokens, tokens, 4, 3);
    for (const auto& call : masked_calls(inputs)) expect_formula("twicing", call, twicing_formula);
    inputs.emplace("bias", normal_array("bias", {2, tokens, tokens}));
    expect_formula("twicing", {inputs, {}, {}, {}, 1}, twicing_formula);
  }
}

TEST(TwicingMechanism, gives_the_values_when_every_token_sees_itself_alone) {
  Call<double> call{queries_keys_values(1, 2, 5, 5, 4, 3), {}, {}, {}, 1};
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j) call.mask.visible.push_back(i == j);
  EXPECT_EQ(evaluate(find_mechanism("twicing"), call).out, call.inputs.find("v")->second);
}

TEST(AlibiMechanism, is_its_formula) {
  for (const Index heads : {3, 4})
    for (const auto& call : masked_calls(queries_keys_values(2, heads, 6, 6, 4, 3)))
      expect_formula("alibi", call, [](const Problem<Traced>& p) {
        const std::vector<double> slopes = alibi_slopes(p.extent("q", 1));
        return plain::heads<Traced>(p.extent("q", 0), p.extent("q", 1), [&](Index b, Index h) {
          const Matrix<Traced> q = p.head("q", b, h), k = p.head("k", b, h);
          Matrix<Traced> bias(q.rows, k.rows);
          for (Index i = 0; i < q.rows; ++i)
            for (Index j = 0; j < k.rows; ++j)
              bias(i, j) = Traced(-slopes[static_cast<std::size_t>(h)] * std::abs(static_cast<double>(i - j)));
          return product(plain::head_weights(p, b, q, k, scale(p), &bias), p.head("v", b, h));
        });
      });
}

/// Squared bandwidths as constants or as inputs.
plain::Formula bilateral_formula(double h_p2, double h_y2) {
  return [h_p2, h_y2](const Problem<Traced>& p) {
    return plain::heads<Traced>(p.extent("q", 0), p.extent("q", 1), [&](Index b, Index h) {
      const Traced position = Traced(1) / (p.has("h_p2") ? p.number("h_p2", h) : Traced(h_p2));
      const Traced token = Traced(1) / (p.has("h_y2") ? p.number("h_y2", h) : Traced(h_y2));
      const Matrix<Traced> term = product(p.head("qp", b, h), transposed(p.head("kp", b, h))) * position;
      return product(plain::head_weights(p, b, p.head("q", b, h), p.head("k", b, h), token, &term), p.head("v", b, h));
    });
  };
}

Arrays<double> with_positions(Shape qp, Shape kp) {
  Arrays<double> inputs = queries_keys_values(2, 3, 5, 7, 4, 3);
  inputs.emplace("qp", normal_array("qp", qp));
  inputs.emplace("kp", normal_array("kp", kp));
  return inputs;
}

TEST(BilateralMechanism, is_its_formula_with_the_positional_term_direct_and_precomputed) {
  const Arrays<double> each = with_positions({2, 3, 5, 4}, {2, 3, 7, 4}), shared = with_positions({3, 5, 4}, {3, 7, 4});
  for (const auto& inputs : {each, shared})
    for (Call<double> call : masked_calls(inputs))
      for (const char* precomputed : {"false", "true"}) {
        call.settings["precomputed"] = precomputed;
        expect_formula("bilateral", call, bilateral_formula(2, 2));
        call.settings["h_p2"] = "5";
        call.settings["h_y2"] = "2.8";
        expect_formula("bilateral", call, bilateral_formula(5, 2.8));
        call.settings.erase("h_p2");
        call.settings.erase("h_y2");
      }
}

TEST(BilateralMechanism, learns_its_bandwidths_per_layer_and_per_head) {
  for (const Shape& shape : {Shape{}, Shape{3}})
    for (const char* precomputed : {"false", "true"}) {
      Arrays<double> inputs = with_positions({2, 3, 5, 4}, {2, 3, 7, 4});
      inputs.emplace("h_p2", positive_array("h_p2", shape));
      inputs.emplace("h_y2", positive_array("h_y2", shape));
      expect_formula("bilateral", {inputs, {{"precomputed", precomputed}}, {}, {}, 1}, bilateral_formula(0, 0));
    }
}

TEST(BilateralMechanism, without_positions_is_softmax_attention) {
  const Call<double> call{with_positions({2, 3, 5, 4}, {2, 3, 7, 4}), {{"h_p2", "inf"}}, {}, {}, 1};
  const Call<double> plain_call{queries_keys_values(2, 3, 5, 7, 4, 3), {}, {}, {}, 1};
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("bilateral"), call).out,
                                     evaluate(find_mechanism("softmax"), plain_call).out),
            plain::attention_rounding(plain_call.inputs.at("q"), plain_call.inputs.at("k")));
}

}  // namespace
}  // namespace attest::attention
