#include "kernels/attention/attend/attend.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

template <typename T>
class Attend : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Attend, Precisions);

std::string in_words(const Extents& e) {
  return std::to_string(e.heads) + " heads, " + std::to_string(e.queries) + " queries, " + std::to_string(e.keys) +
         " keys, D " + std::to_string(e.dim) + ", D_v " + std::to_string(e.value_dim);
}

TYPED_TEST(Attend, agrees_with_the_reference_for_lengths_that_fit_no_tile) {
  Index heads = 1;
  for (const Index n : {1, 2, 3, 12, 16, 17, 64, 257})
    for (const bool causal : {false, true}) {
      const Extents e{n < 100 ? 2 : 1, n < 100 ? heads : 2, n, n, causal ? 32 : 20, causal ? 16 : 32};
      auto p = random_problem<TypeParam>(e, static_cast<std::uint64_t>(n));
      p.options.mask.causal = causal;
      expect_agreement(p, in_words(e));
      heads = heads % 8 + 1;
    }
}

TYPED_TEST(Attend, agrees_with_the_reference_for_any_numbers_of_queries_keys_and_features) {
  for (const Extents& e : {Extents{1, 3, 1, 70, 64, 64}, Extents{1, 1, 70, 1, 8, 3}, Extents{2, 2, 33, 130, 1, 1},
                           Extents{1, 5, 130, 31, 7, 65}, Extents{1, 1, 65, 67, 100, 2}}) {
    auto p = random_problem<TypeParam>(e, 100);
    expect_agreement(p, in_words(e));
    p.options.mask.causal = true;
    expect_agreement(p, "causal, " + in_words(e));
  }
}

TYPED_TEST(Attend, agrees_with_the_reference_for_any_scale_and_seed) {
  for (const double scale : {0.0, 1e-3, -0.5, 1.0, 17.0})
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
      auto p = random_problem<TypeParam>({1, 2, 66, 70, 16, 8}, seed);
      p.options.scale = static_cast<TypeParam>(scale);
      expect_agreement(p, "scale " + std::to_string(scale), scale == 17);
    }
}

TYPED_TEST(Attend, agrees_with_the_reference_under_every_option_at_once) {
  for (const Extents& e :
       {Extents{3, 2, 12, 12, 4, 5}, Extents{2, 3, 70, 90, 16, 16}, Extents{2, 1, 140, 75, 32, 32}}) {
    auto p = random_problem<TypeParam>(e, 200);
    turn_everything_on(p, 201);
    expect_agreement(p, in_words(e));
  }
}

TYPED_TEST(Attend, is_exact_where_a_naive_softmax_overflows) {
  auto p = random_problem<TypeParam>({1, 2, 40, 90, 32, 8}, 300);
  p.options.scale = 600;
  const auto attended = attend(p.q, p.k, p.v, p.options);
  EXPECT_GT(*std::max_element(attended.largest.values().begin(), attended.largest.values().end()), 1e4);
  EXPECT_TRUE(std::isinf(std::exp(attended.largest.values()[0])));
  expect_agreement(p, "logits of 10^4", true);
  for (auto& value : p.k.values()) value = -std::abs(value);
  for (auto& value : p.q.values()) value = std::abs(value);
  expect_agreement(p, "logits of -10^4", true);
}

TYPED_TEST(Attend, gives_zeros_and_zero_gradients_to_queries_without_keys) {
  auto p = random_problem<TypeParam>({2, 1, 5, 6, 3, 4}, 400);
  p.options.mask.key_lengths = {0, 6};
  p.options.mask.visible.assign(30, 1);
  for (std::size_t j = 0; j < 6; ++j) p.options.mask.visible[6 + j] = 0;  // Query 1.
  const auto attended = attend(p.q, p.k, p.v, p.options);
  const auto gradients = attend_backward(p.q, p.k, p.v, p.options, attended, p.dout);
  for (Index i = 0; i < 5; ++i) {
    for (Index d = 0; d < 4; ++d) EXPECT_EQ(attended.out.at(0, 0, i, d), 0);
    for (Index d = 0; d < 3; ++d) EXPECT_EQ(gradients.q.at(0, 0, i, d), 0);
  }
  for (Index d = 0; d < 4; ++d) EXPECT_EQ(attended.out.at(1, 0, 1, d), 0);
  for (Index j = 0; j < 6; ++j)
    for (Index d = 0; d < 4; ++d) EXPECT_EQ(gradients.v.at(0, 0, j, d), 0);
  EXPECT_EQ(attended.normaliser.values()[0], 0);
  EXPECT_TRUE(std::isinf(attended.largest.values()[0]));
  expect_agreement(p, "rows without keys");
}

TYPED_TEST(Attend, returns_the_value_of_a_single_token) {
  const auto p = random_problem<TypeParam>({1, 1, 1, 1, 3, 4}, 500);
  const auto attended = attend(p.q, p.k, p.v, p.options);
  EXPECT_EQ(attended.out, p.v);
  const auto gradients = attend_backward(p.q, p.k, p.v, p.options, attended, p.dout);
  EXPECT_EQ(gradients.v, p.dout);
}

TYPED_TEST(Attend, averages_constant_values_to_themselves) {
  auto p = random_problem<TypeParam>({1, 2, 100, 257, 16, 1}, 600);
  std::fill(p.v.values().begin(), p.v.values().end(), TypeParam(1));
  const auto attended = attend(p.q, p.k, p.v, p.options);
  EXPECT_LE(relative_error(attended.out, Tensor<double>(attended.out.shape(), std::vector<double>(200, 1.0))),
            stated_error<TypeParam>);
}

TYPED_TEST(Attend, permutes_with_its_tokens) {
  const Index n = 97;
  const auto p = random_problem<TypeParam>({1, 1, n, n, 8, 8}, 700);
  const auto permuted = [&](const Tensor<TypeParam>& array) {
    Tensor<TypeParam> result(array.shape());
    for (Index i = 0; i < n; ++i)
      for (Index d = 0; d < 8; ++d) result.at(0, 0, i, d) = array.at(0, 0, i * 35 % n, d);
    return result;
  };
  const auto before = permuted(attend(p.q, p.k, p.v, p.options).out);
  const auto after = attend(permuted(p.q), permuted(p.k), permuted(p.v), p.options).out;
  EXPECT_LE(relative_error(after, converted<double>(before)), stated_error<TypeParam>);
}

TYPED_TEST(Attend, never_shows_the_future_to_a_causal_query) {
  auto p = random_problem<TypeParam>({1, 2, 150, 150, 16, 16}, 800);
  p.options.mask.causal = true;
  const auto before = attend(p.q, p.k, p.v, p.options).out;
  constexpr Index changed = 77;
  for (Index h = 0; h < 2; ++h)
    for (Index d = 0; d < 16; ++d) p.k.at(0, h, changed, d) = p.v.at(0, h, changed, d) = 1000;
  const auto after = attend(p.q, p.k, p.v, p.options).out;
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 150; ++i)
      EXPECT_EQ(before.at(0, h, i, 3) == after.at(0, h, i, 3), i < changed) << "query " << i;
}

TYPED_TEST(Attend, treats_padded_keys_as_absent) {
  auto p = random_problem<TypeParam>({1, 2, 20, 130, 8, 8}, 900);
  p.options.mask.key_lengths = {90};
  const auto padded = attend(p.q, p.k, p.v, p.options);
  const auto shortened = [](const Tensor<TypeParam>& array) {
    Tensor<TypeParam> result({1, 2, 90, 8});
    for (Index h = 0; h < 2; ++h)
      for (Index j = 0; j < 90; ++j)
        for (Index d = 0; d < 8; ++d) result.at(0, h, j, d) = array.at(0, h, j, d);
    return result;
  };
  p.options.mask.key_lengths.clear();
  EXPECT_EQ(attend(p.q, shortened(p.k), shortened(p.v), p.options).out, padded.out);
}

TYPED_TEST(Attend, keeps_its_expectation_under_dropout) {
  auto p = random_problem<TypeParam>({1, 1, 4, 40, 4, 2}, 1000);
  const auto exact = converted<double>(attend(p.q, p.k, p.v, p.options).out);
  Tensor<double> mean(exact.shape());
  constexpr int seeds = 2000;
  p.options.dropout.rate = 0.5;
  for (int seed = 0; seed < seeds; ++seed) {
    p.options.dropout.seed = static_cast<std::uint64_t>(seed);
    const auto out = attend(p.q, p.k, p.v, p.options).out;
    for (Index i = 0; i < out.size(); ++i) mean.data()[i] += static_cast<double>(out.data()[i]) / seeds;
  }
  // At rate 1/2 the variance of an entry is sum_j A_ij^2 v_j^2 <= 1; the seeds are fixed, six standard errors allowed.
  for (Index i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean.data()[i], exact.data()[i], 6 / std::sqrt(seeds));
  EXPECT_NE(mean, exact);
}

TYPED_TEST(Attend, names_the_argument_that_does_not_fit) {
  const auto p = random_problem<TypeParam>({1, 2, 3, 4, 5, 6}, 1100);
  const auto message = [&](const auto& q, const auto& k, const auto& v, const auto& options) -> std::string {
    try {
      attend(q, k, v, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(p.q, p.v, p.v, p.options),
            "attend: k has shape [1][2][4][6], but [1][2][4][5] fits the other arguments");
  EXPECT_EQ(message(p.q, p.k, Tensor<TypeParam>({4, 5}), p.options),
            "attend: v has shape [4][5], but needs [batch][head][token][feature]");
  EXPECT_EQ(message(Tensor<TypeParam>({1, 2, 0, 5}), p.k, p.v, p.options),
            "attend: q has shape [1][2][0][5]: an extent is zero");
  auto options = p.options;
  options.dropout.rate = 1;
  EXPECT_EQ(message(p.q, p.k, p.v, options), "attend: dropout rate is 1, but must be in [0, 1)");
  options = p.options;
  options.mask.key_lengths = {5};
  EXPECT_EQ(message(p.q, p.k, p.v, options), "attend: a key length is 5, but there are 4 keys");
  options = p.options;
  options.bias.dense = Tensor<TypeParam>({3, 4});
  EXPECT_EQ(message(p.q, p.k, p.v, options), "attend: bias has shape [3][4], but [2][3][4] fits the other arguments");
}

}  // namespace
}  // namespace attest::attention
