#include "kernels/attention/linear/linear_twicing.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "tests/kernels/attention/linear/dense_linear.hpp"

namespace attest::attention {
namespace {

using dense::rounded_once;

template <typename T>
class LinearTwicing : public testing::Test {};
TYPED_TEST_SUITE(LinearTwicing, dense::Precisions);

struct DenseTwicing {
  Tensor<double> out;
  LinearGradients<double> gradients;
};

/// A w with w = 2 v - A v head by head, and the gradients of sum(out * dout): those of A w, and of A v for -dw.
template <typename T>
DenseTwicing dense_twicing(const TestProblem<T>& p, const LinearOptions& options) {
  const auto q = converted<double>(p.q), k = converted<double>(p.k), v = converted<double>(p.v),
             dout = converted<double>(p.dout);
  DenseTwicing all{Tensor<double>(dout.shape()),
                   {Tensor<double>(q.shape()), Tensor<double>(k.shape()), Tensor<double>(v.shape())}};
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h) {
      const auto a = dense::weights_of(dense::head_of(q, b, h), dense::head_of(k, b, h),
                                       real_tokens(options.key_lengths, b, k.extent(2)), options);
      const auto values = dense::head_of(v, b, h), wanted = dense::head_of(dout, b, h);
      const auto w = values * 2.0 - product(a.a, values);
      dense::put_head(product(a.a, w), b, h, all.out);
      const auto second = dense::gradients_of(a, w, wanted);
      const auto first = dense::gradients_of(a, values, second.v * -1.0);
      dense::put_head(first.q + second.q, b, h, all.gradients.q);
      dense::put_head(first.k + second.k, b, h, all.gradients.k);
      dense::put_head(second.v * 2.0 + first.v, b, h, all.gradients.v);
    }
  return all;
}

template <typename T>
void expect_dense_twicing(const TestProblem<T>& p, const LinearOptions& options, const std::string& what) {
  const auto twiced = linear_twicing(p.q, p.k, p.v, options);
  const auto gradients = linear_twicing_backward(p.q, p.k, p.v, options, twiced, p.dout);
  const DenseTwicing exact = dense_twicing(p, options);
  EXPECT_LE(relative_error(twiced.out, exact.out), rounded_once<T>) << what;
  EXPECT_LE(relative_error(gradients.q, exact.gradients.q), rounded_once<T>) << what << ", dq";
  EXPECT_LE(relative_error(gradients.k, exact.gradients.k), rounded_once<T>) << what << ", dk";
  EXPECT_LE(relative_error(gradients.v, exact.gradients.v), rounded_once<T>) << what << ", dv";
}

TYPED_TEST(LinearTwicing, is_two_products_with_the_dense_matrix_at_every_edge_of_a_chunk_of_64_tokens) {
  for (const Index n : {2, 3, 63, 64, 65, 127, 128, 129})
    for (const bool causal : {false, true})
      expect_dense_twicing(random_problem<TypeParam>({1, 2, n, n, 5, 3}, static_cast<std::uint64_t>(n)),
                           {.causal = causal}, std::to_string(n) + " tokens" + (causal ? ", causal" : ""));
}

TYPED_TEST(LinearTwicing, takes_any_numbers_of_features) {
  // One feature of a query would cancel in its weights but for epsilon, and dq with it.
  for (const auto& [dim, values] : {std::pair<Index, Index>{1, 1}, {8, 8}, {16, 7}, {24, 12}, {7, 16}})
    for (const bool causal : {false, true})
      expect_dense_twicing(random_problem<TypeParam>({1, 1, 70, 70, dim, values}, 11),
                           {.epsilon = 0.5, .causal = causal},
                           std::to_string(dim) + " and " + std::to_string(values) + (causal ? ", causal" : ""));
}

TYPED_TEST(LinearTwicing, gives_no_weight_to_padding) {
  for (const bool causal : {false, true})
    expect_dense_twicing(random_problem<TypeParam>({7, 2, 130, 130, 4, 5}, 12),
                         {.causal = causal, .key_lengths = {130, 129, 128, 65, 64, 63, 2}}, causal ? "causal" : "");
}

/// phi(q_i).phi(k_0) of the first head.
template <typename T>
double single_weight(const TestProblem<T>& p, Index i) {
  const auto phi = [](T x) { return x > 0 ? static_cast<double>(x) + 1 : std::exp(static_cast<double>(x)); };
  double sum = 0;
  for (Index d = 0; d < p.q.extent(3); ++d) sum += phi(p.q.at(0, 0, i, d)) * phi(p.k.at(0, 0, 0, d));
  return sum;
}

TYPED_TEST(LinearTwicing, of_one_real_token_is_its_value_twice_less_what_is_smoothed_twice) {
  // Without an epsilon of the size of the weight, a would be 1 to six digits and the gradients all rounding.
  for (const bool causal : {false, true}) {
    const LinearOptions options{.epsilon = 2, .causal = causal, .key_lengths = {1, 0}};
    const auto p = random_problem<TypeParam>({2, 1, 66, 66, 3, 2}, 13);
    const auto out = linear_twicing(p.q, p.k, p.v, options).out;
    for (const Index i : {0, 1, 63, 64, 65}) {
      // w is made with the token's own weight, and smoothed with that of query i.
      const double own = single_weight(p, 0), weight = single_weight(p, i);
      for (Index d = 0; d < 2; ++d) {
        const double v = static_cast<double>(p.v.at(0, 0, 0, d));
        EXPECT_NEAR(static_cast<double>(out.at(0, 0, i, d)), weight / (weight + 2) * (2 - own / (own + 2)) * v,
                    rounded_once<TypeParam>);
        EXPECT_EQ(out.at(1, 0, i, d), 0) << "no keys";
      }
    }
    expect_dense_twicing(p, options, causal ? "causal" : "");
  }
}

TYPED_TEST(LinearTwicing, never_reads_what_is_padding_and_sends_nothing_back_to_it) {
  const LinearOptions options{.key_lengths = {70, 64, 1}};
  auto p = random_problem<TypeParam>({3, 2, 70, 70, 5, 3}, 14);
  const auto before = linear_twicing(p.q, p.k, p.v, options);
  const auto of_before = linear_twicing_backward(p.q, p.k, p.v, options, before, p.dout);
  for (Index b = 0; b < 3; ++b)
    for (Index h = 0; h < 2; ++h)
      for (Index j = options.key_lengths[static_cast<std::size_t>(b)]; j < 70; ++j)
        for (Index d = 0; d < 3; ++d)
          p.k.at(b, h, j, d) = p.v.at(b, h, j, d) = std::numeric_limits<TypeParam>::quiet_NaN();
  const auto after = linear_twicing(p.q, p.k, p.v, options);
  const auto of_after = linear_twicing_backward(p.q, p.k, p.v, options, after, p.dout);
  EXPECT_EQ(after.out, before.out);
  EXPECT_EQ(of_after.q, of_before.q);
  EXPECT_EQ(of_after.k, of_before.k);
  EXPECT_EQ(of_after.v, of_before.v);
  EXPECT_EQ(of_after.k.at(1, 1, 64, 0), 0);
  EXPECT_EQ(of_after.v.at(2, 0, 1, 2), 0);
}

TEST(LinearTwicingBackward, agrees_with_central_differences) {
  for (const bool causal : {false, true}) {
    const LinearOptions options{.epsilon = 0.5, .causal = causal, .key_lengths = {5, 3}};
    auto p = random_problem<double>({2, 1, 5, 5, 2, 3}, 15);
    const auto gradients =
        linear_twicing_backward(p.q, p.k, p.v, options, linear_twicing(p.q, p.k, p.v, options), p.dout);
    // A central difference of step h errs by h^2 |f'''|/6 + 2^-53 |f|/h: below 1e-8 for terms of order one to ten.
    constexpr double step = 1e-5, difference_error = 1e-8;
    const auto expect_gradient = [&](Tensor<double>& input, const Tensor<double>& gradient, const char* name) {
      for (Index i = 0; i < input.size(); ++i) {
        const double value = input.data()[i];
        input.data()[i] = value + step;
        const double above = inner_product(linear_twicing(p.q, p.k, p.v, options).out, p.dout);
        input.data()[i] = value - step;
        const double below = inner_product(linear_twicing(p.q, p.k, p.v, options).out, p.dout);
        input.data()[i] = value;
        ASSERT_NEAR(gradient.data()[i], (above - below) / (2 * step), difference_error) << name << " entry " << i;
      }
    };
    expect_gradient(p.q, gradients.q, "q");
    expect_gradient(p.k, gradients.k, "k");
    expect_gradient(p.v, gradients.v, "v");
  }
}

TYPED_TEST(LinearTwicing, has_the_same_bits_for_any_number_of_threads) {
  const auto p = random_problem<TypeParam>({3, 3, 130, 130, 16, 8}, 16);
  for (const bool causal : {false, true}) {
    dense::expect_same_bits([&](unsigned threads) {
      const LinearOptions options{.causal = causal, .key_lengths = {130, 64, 1}, .threads = threads};
      auto twiced = linear_twicing(p.q, p.k, p.v, options);
      auto gradients = linear_twicing_backward(p.q, p.k, p.v, options, twiced, p.dout);
      return std::tuple(std::move(twiced.out), std::move(gradients.q), std::move(gradients.k), std::move(gradients.v));
    });
  }
}

TYPED_TEST(LinearTwicing, refuses_an_epsilon_that_is_not_above_0) {
  const auto p = random_problem<TypeParam>({1, 1, 3, 3, 2, 2}, 17);
  for (const double epsilon : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(linear_twicing(p.q, p.k, p.v, {.epsilon = epsilon}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::attention
