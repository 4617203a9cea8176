// Attention-BN, -SH and -BN+SH and their linear and sparse forms, against their formulas.
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/attention/sparse/sparse_pattern.hpp"
#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/linear.hpp"
#include "tests/kernels/attention/plain/pooling.hpp"
#include "tests/kernels/attention/plain/stages.hpp"

namespace attest::attention {
namespace {

using plain::Array, plain::expect_formula, plain::Matrix, plain::normal_array, plain::Problem, plain::product,
    plain::queries_keys_values, plain::Traced;

struct Definition {
  std::string family;  // softmax, linear, sparse
  std::vector<Index> factors = {};
  bool ceil = true, recentred = false, normalised = false;
  double beta = 1, epsilon = 1e-5, denominator = 1e-6;
  Index stride = 3;
};

/// Queries and keys of query i's dot products: with a causal mask the statistics of the keys it sees, straight from
/// Eq 22.
Matrix<Traced> causal_logits(const Definition& f, const Problem<Traced>& p, Index b, const Matrix<Traced>& q,
                             const Matrix<Traced>& k, const Traced& beta) {
  Matrix<Traced> logits(q.rows, k.rows);
  for (Index i = 0; i < q.rows; ++i) {
    const Index seen = std::min(i + 1, p.length(b, k.rows));
    if (seen == 0) continue;
    Matrix<Traced> row(1, q.cols);
    for (Index d = 0; d < q.cols; ++d) row(0, d) = q(i, d);
    const auto r = plain::recentred(row, plain::top(k, seen), beta, f.normalised, Traced(f.epsilon));
    for (Index j = 0; j < seen; ++j)
      for (Index d = 0; d < q.cols; ++d) logits(i, j) = multiply_add(logits(i, j), r.q(0, d), r.k(j, d));
  }
  return logits;
}

Matrix<Traced> head_output(const Definition& f, const Problem<Traced>& p, Index b, Index h) {
  Matrix<Traced> q = p.head("q", b, h), k = p.head("k", b, h), v = p.head("v", b, h);
  const Index tokens = k.rows, factor = f.factors.empty() ? 1 : f.factors[static_cast<std::size_t>(h)];
  Index length = p.length(b, tokens);
  if (factor > 1) {
    k = plain::pooled(k, factor, f.ceil, length);
    v = plain::pooled(v, factor, f.ceil, length);
    length = plain::pooled_count(length, factor, f.ceil);
  }
  const Traced beta = p.has("beta") ? p.number("beta", h) : Traced(f.beta);
  Matrix<Traced> logits;
  if (f.recentred && p.mask.causal) {
    logits = causal_logits(f, p, b, q, k, beta);
  } else {
    if (f.recentred && length > 0) {
      const auto r = plain::recentred(q, plain::top(k, length), beta, f.normalised, Traced(f.epsilon));
      q = r.q;
      k = r.k;
      v = plain::top(v, length);
    }
    if (f.family != "linear") logits = product(q, transposed(k));
  }
  if (f.family == "linear") {
    if (!p.mask.causal)
      return plain::linear(q, plain::top(k, length), plain::top(v, length), Traced(f.denominator)).out;
    Matrix<Traced> out(q.rows, v.cols);
    for (Index i = 0; i < q.rows; ++i) {
      const Index seen = std::min(i + 1, length);
      const auto row =
          plain::linear(plain::top(q, i + 1), plain::top(k, seen), plain::top(v, seen), Traced(f.denominator));
      for (Index d = 0; d < v.cols; ++d) out(i, d) = row.out(i, d);
    }
    return out;
  }
  const auto shown = [&](Index i, Index j) {  // any real token of window j is in the pattern
    for (Index n = j * factor; n < std::min(p.length(b, tokens), (j + 1) * factor); ++n) {
      if (p.mask.causal && n > i) continue;
      const bool in_pattern =
          f.family == "softmax" || !p.mask.visible.empty() || std::abs(i - n) <= f.stride || (i - n) % f.stride == 0;
      if (in_pattern && (p.mask.visible.empty() || p.mask.visible[static_cast<std::size_t>(i * tokens + n)] != 0))
        return true;
    }
    return false;
  };
  const Traced scale(1 / std::sqrt(static_cast<double>(q.cols)));
  const Matrix<Traced> a =
      plain::masked_softmax(logits * scale, [&](Index i, Index j) { return j < length && shown(i, j); });
  return product(a, v);
}

plain::Formula formula(Definition f) {
  return [f](const Problem<Traced>& p) {
    return plain::heads<Traced>(p.extent("q", 0), p.extent("q", 1),
                                [&](Index b, Index h) { return head_output(f, p, b, h); });
  };
}

/// Two sequences, the second of them padded.
Call<double> padded_call(Settings settings, Index queries, Index keys) {
  Call<double> call{queries_keys_values(2, 4, queries, keys, 4, 3), std::move(settings), {}, {}, 1};
  call.mask.key_lengths = {keys, keys / 2 + 1};
  return call;
}

Arrays<double> with_beta(Arrays<double> inputs, const Shape& shape) {
  inputs.emplace("beta", normal_array("beta", shape));
  return inputs;
}

TEST(AttentionBN, is_equation_22) {
  Definition f{.family = "softmax", .recentred = true, .normalised = true};
  expect_formula("attention-bn", {queries_keys_values(2, 4, 5, 7, 4, 3), {}, {}, {}, 1}, formula(f));
  expect_formula("attention-bn", padded_call({}, 5, 9), formula(f));
  // Two normalised keys are +1 and -1 whatever they were: only epsilon lets a gradient through.
  f.epsilon = 0.5;
  for (const Index keys : {1, 2, 3}) {
    expect_formula("attention-bn", {queries_keys_values(2, 4, 5, keys, 4, 3), {{"eps", "0.5"}}, {}, {}, 1}, formula(f));
    expect_formula("attention-bn", padded_call({{"eps", "0.5"}}, 5, keys), formula(f));
  }
}

TEST(AttentionBN, under_a_causal_mask_uses_the_statistics_of_the_keys_a_query_sees) {
  const Definition f{.family = "softmax", .recentred = true, .normalised = true, .epsilon = 0.1};
  for (const Index keys : {3, 6, 9}) {
    expect_formula("attention-bn",
                   {queries_keys_values(2, 4, 6, keys, 4, 3), {{"causal", "true"}, {"eps", "0.1"}}, {}, {}, 1},
                   formula(f));
    expect_formula("attention-bn", padded_call({{"causal", "true"}, {"eps", "0.1"}}, 6, keys), formula(f));
  }
}

TEST(AttentionBNSimplified, is_equation_26_with_beta_fixed_or_learnable) {
  Definition f{.family = "softmax", .recentred = true, .beta = 0.6};
  for (const char* causal : {"false", "true"}) {
    expect_formula("attention-bn-simplified", padded_call({{"beta", "0.6"}, {"causal", causal}}, 5, 7), formula(f));
    for (const Shape& shape : {Shape{}, Shape{4}})
      expect_formula("attention-bn-simplified",
                     {with_beta(queries_keys_values(2, 4, 5, 7, 4, 3), shape), {{"causal", causal}}, {}, {}, 1},
                     formula(f));
  }
}

TEST(AttentionBNSimplified, with_beta_zero_is_softmax_attention) {
  const Arrays<double> inputs = queries_keys_values(2, 4, 5, 7, 4, 3);
  EXPECT_EQ(evaluate(find_mechanism("attention-bn-simplified"), Call<double>{inputs, {{"beta", "0"}}, {}, {}, 1}).out,
            evaluate(find_mechanism("softmax"), Call<double>{inputs, {}, {}, {}, 1}).out);
}

TEST(AttentionSH, is_equation_25_with_remainders_averaged_or_dropped) {
  for (const bool ceil : {true, false}) {
    const Definition f{.family = "softmax", .factors = {1, 1, 2, 4}, .ceil = ceil};
    const Settings settings{{"factors", "1,1,2,4"}, {"remainder", ceil ? "ceil" : "floor"}};
    for (const Index keys : {4, 7, 12})
      expect_formula("attention-sh", {queries_keys_values(2, 4, 5, keys, 4, 3), settings, {}, {}, 1}, formula(f));
    expect_formula("attention-sh", padded_call(settings, 5, 11), formula(f));
  }
}

TEST(AttentionSH, with_factor_one_is_softmax_attention) {
  const Arrays<double> inputs = queries_keys_values(2, 4, 5, 7, 4, 3);
  EXPECT_EQ(evaluate(find_mechanism("attention-sh"), Call<double>{inputs, {{"factors", "1"}}, {}, {}, 1}).out,
            evaluate(find_mechanism("softmax"), Call<double>{inputs, {}, {}, {}, 1}).out);
}

TEST(AttentionSH, refuses_factors_that_do_not_fit) {
  for (const char* factors : {"1,2", "0", "-1", "2.5", "99"}) {
    const Call<double> call{
        queries_keys_values(2, 4, 5, 7, 4, 3), {{"factors", factors}, {"remainder", "floor"}}, {}, {}, 1};
    EXPECT_THROW(evaluate(find_mechanism("attention-sh"), call), std::invalid_argument) << factors;
  }
}

TEST(AttentionBNSH, takes_its_statistics_from_the_pooled_keys) {
  Definition f{.family = "softmax", .factors = {1, 1, 2, 4}, .recentred = true, .normalised = true, .epsilon = 0.1};
  expect_formula("attention-bn-sh", padded_call({{"factors", "1,1,2,4"}, {"eps", "0.1"}}, 5, 11), formula(f));
  f.normalised = false;  // Eq 51
  f.beta = 0.6;
  expect_formula("attention-bn-sh", padded_call({{"factors", "1,1,2,4"}, {"beta", "0.6"}}, 5, 11), formula(f));
  for (const Shape& shape : {Shape{}, Shape{4}})
    expect_formula("attention-bn-sh",
                   {with_beta(queries_keys_values(2, 4, 5, 11, 4, 3), shape), {{"factors", "1,1,2,4"}}, {}, {}, 1},
                   formula(f));
}

TEST(LinearAttention, is_its_formula_full_and_causal) {
  for (const char* causal : {"false", "true"})
    for (const Index keys : {1, 5, 8}) {
      // With one key the weight is 1 but for epsilon, which alone lets a gradient through.
      const Definition f{.family = "linear", .denominator = 0.5};
      const Settings settings{{"causal", causal}, {"eps", "0.5"}};
      expect_formula("linear", {queries_keys_values(2, 4, 5, keys, 4, 3), settings, {}, {}, 1}, formula(f));
      expect_formula("linear", padded_call(settings, 5, keys), formula(f));
      if (keys == 1 || causal == std::string("true")) continue;
      expect_formula("linear", {queries_keys_values(2, 4, 5, keys, 4, 3), {}, {}, {}, 1},
                     formula({.family = "linear"}));
    }
}

TEST(LinearAttention, combines_with_normalisation_and_scaled_heads) {
  Definition f{.family = "linear", .recentred = true, .normalised = true, .epsilon = 0.1};
  expect_formula("linear-bn", padded_call({{"eps", "0.1"}}, 5, 11), formula(f));
  f.factors = {1, 1, 2, 4};
  expect_formula("linear-bn-sh", padded_call({{"eps", "0.1"}, {"factors", "1,1,2,4"}}, 5, 11), formula(f));
  f.recentred = f.normalised = false;
  expect_formula("linear-sh", padded_call({{"factors", "1,1,2,4"}}, 5, 11), formula(f));
}

TEST(SparseAttention, is_its_formula_over_the_strided_pattern_or_a_mask) {
  const Definition f{.family = "sparse"};
  for (const char* causal : {"false", "true"})
    expect_formula("sparse", padded_call({{"causal", causal}, {"stride", "3"}}, 9, 11), formula(f));
  Call<double> masked = padded_call({}, 5, 11);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 11; ++j) masked.mask.visible.push_back(i != 1 && (i + 2 * j) % 3 != 0);
  expect_formula("sparse", masked, formula(f));
}

TEST(SparseAttention, combines_with_normalisation_and_scaled_heads) {
  Definition f{.family = "sparse", .recentred = true, .normalised = true, .epsilon = 0.1};
  for (const char* causal : {"false", "true"})
    expect_formula("sparse-bn", padded_call({{"eps", "0.1"}, {"stride", "3"}, {"causal", causal}}, 9, 11), formula(f));
  f.factors = {1, 1, 2, 4};
  expect_formula("sparse-bn-sh", padded_call({{"eps", "0.1"}, {"stride", "3"}, {"factors", "1,1,2,4"}}, 9, 11),
                 formula(f));
  f.recentred = f.normalised = false;
  expect_formula("sparse-sh", padded_call({{"stride", "3"}, {"factors", "1,1,2,4"}}, 9, 11), formula(f));
}

}  // namespace
}  // namespace attest::attention
