#include "kernels/attention/linear/linear_recentred.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/attention/linear/dense_linear.hpp"

namespace attest::attention {
namespace {

using dense::rounded_once;

template <typename T>
class LinearRecentredAttention : public testing::Test {};
TYPED_TEST_SUITE(LinearRecentredAttention, dense::Precisions);

using Betas = std::vector<double>;

struct DenseRecentred {
  Tensor<double> out;
  LinearRecentredGradients<double> gradients;
};

/// One feature's mean and 1/s over the real keys of a head.
struct Centre {
  double mean = 0, inverse = 1;
};

Centre centre_of(const dense::Matrix& k, Index d, Index length, const RecentreOptions& recentring) {
  Centre centre;
  double variance = 0;
  const auto count = static_cast<double>(std::max<Index>(length, 1));
  for (Index j = 0; j < length; ++j) centre.mean += k(j, d) / count;
  for (Index j = 0; j < length; ++j) variance += (k(j, d) - centre.mean) * (k(j, d) - centre.mean) / count;
  if (recentring.normalised) centre.inverse = 1 / std::sqrt(variance + recentring.epsilon);
  return centre;
}

/// The gradients of one feature of q, k and beta from those of q' = (q - beta mu)/s and k' = (k - beta mu)/s.
void through_centre(const Centre& c, double beta, Index d, Index length, bool normalised, dense::HeadGradients& g,
                    const dense::Matrix& q, const dense::Matrix& k, double& of_beta) {
  double of_shift = 0, of_inverse = 0;
  for (const auto& [x, gx] : {std::pair{&q, &g.q}, std::pair{&k, &g.k}})
    for (Index i = 0; i < x->rows; ++i) {
      of_shift -= (*gx)(i, d) * c.inverse;
      of_inverse += (*gx)(i, d) * ((*x)(i, d) - beta * c.mean);
      (*gx)(i, d) *= c.inverse;
    }
  of_beta += of_shift * c.mean;
  const double of_variance = normalised ? of_inverse * -0.5 * c.inverse * c.inverse * c.inverse : 0;
  for (Index j = 0; j < length; ++j)
    g.k(j, d) += (of_shift * beta + of_variance * 2 * (k(j, d) - c.mean)) / static_cast<double>(length);
}

/// The dense weights of q' and k', head by head, and the gradients of sum(out * dout) through mean and variance.
template <typename T>
DenseRecentred dense_recentred(const TestProblem<T>& p, const Betas& beta, const RecentreOptions& recentring,
                               const LinearOptions& options) {
  const auto all_q = converted<double>(p.q), all_k = converted<double>(p.k), v = converted<double>(p.v),
             dout = converted<double>(p.dout);
  DenseRecentred all{
      Tensor<double>(dout.shape()),
      {Tensor<double>(all_q.shape()), Tensor<double>(all_k.shape()), Tensor<double>(v.shape()), Betas(beta.size())}};
  for (Index b = 0; b < v.extent(0); ++b)
    for (Index h = 0; h < v.extent(1); ++h) {
      const Index length = real_tokens(options.key_lengths, b, v.extent(2));
      const auto q = dense::head_of(all_q, b, h), k = dense::head_of(all_k, b, h), values = dense::head_of(v, b, h);
      const double of_head = beta[static_cast<std::size_t>(h)];
      dense::Matrix centred_q = q, centred_k = k;
      for (Index d = 0; d < q.cols; ++d) {
        const Centre c = centre_of(k, d, length, recentring);
        for (Index i = 0; i < q.rows; ++i) centred_q(i, d) = (q(i, d) - of_head * c.mean) * c.inverse;
        for (Index j = 0; j < k.rows; ++j) centred_k(j, d) = (k(j, d) - of_head * c.mean) * c.inverse;
      }
      const auto a = dense::weights_of(centred_q, centred_k, length, options);
      dense::put_head(product(a.a, values), b, h, all.out);
      auto g = dense::gradients_of(a, values, dense::head_of(dout, b, h));
      for (Index d = 0; d < q.cols; ++d)
        through_centre(centre_of(k, d, length, recentring), of_head, d, length, recentring.normalised, g, q, k,
                       all.gradients.beta[static_cast<std::size_t>(h)]);
      dense::put_head(g.q, b, h, all.gradients.q);
      dense::put_head(g.k, b, h, all.gradients.k);
      dense::put_head(g.v, b, h, all.gradients.v);
    }
  return all;
}

template <typename T>
void expect_dense_recentred(const TestProblem<T>& p, const Betas& beta, RecentreOptions recentring,
                            const LinearOptions& options, const std::string& what) {
  recentring.key_lengths = options.key_lengths;
  const auto attended = linear_recentred(p.q, p.k, p.v, beta, recentring, options);
  const auto gradients = linear_recentred_backward(p.q, p.k, p.v, beta, recentring, options, attended, p.dout);
  const DenseRecentred exact = dense_recentred(p, beta, recentring, options);
  EXPECT_LE(relative_error(attended.out, exact.out), rounded_once<T>) << what;
  EXPECT_LE(relative_error(gradients.q, exact.gradients.q), rounded_once<T>) << what << ", dq";
  EXPECT_LE(relative_error(gradients.k, exact.gradients.k), rounded_once<T>) << what << ", dk";
  EXPECT_LE(relative_error(gradients.v, exact.gradients.v), rounded_once<T>) << what << ", dv";
  ASSERT_EQ(gradients.beta.size(), beta.size());
  const auto row = [](const Betas& entries) { return Tensor<double>({static_cast<Index>(entries.size())}, entries); };
  EXPECT_LE(relative_error(row(gradients.beta), row(exact.gradients.beta)), stated_error<double>) << what << ", dbeta";
}

TYPED_TEST(LinearRecentredAttention, is_the_dense_one_of_recentred_tokens_at_every_edge_of_a_chunk_of_64) {
  for (const Index n : {2, 3, 63, 64, 65, 127, 128, 129})
    for (const bool causal : {false, true})
      expect_dense_recentred(random_problem<TypeParam>({1, 2, n, n, 5, 3}, static_cast<std::uint64_t>(n)), {1, 0.5}, {},
                             {.causal = causal}, std::to_string(n) + " tokens" + (causal ? ", causal" : ""));
}

TYPED_TEST(LinearRecentredAttention, takes_other_numbers_of_queries_than_keys_and_any_features) {
  for (const Extents& e : {Extents{1, 1, 70, 130, 8, 8}, Extents{1, 1, 130, 70, 16, 7}, Extents{1, 2, 1, 65, 24, 12},
                           Extents{2, 1, 65, 1, 1, 1}})
    for (const bool causal : {false, true}) {
      const Betas beta(static_cast<std::size_t>(e.heads), 0.75);
      // The weight of the only key that a query sees is 1 but for epsilon, and one feature of a query cancels but for
      // it.
      expect_dense_recentred(random_problem<TypeParam>(e, 21), beta, {.epsilon = e.keys == 1 ? 0.5 : 1e-5},
                             {.epsilon = 0.5, .causal = causal},
                             std::to_string(e.queries) + " and " + std::to_string(e.keys));
    }
}

TYPED_TEST(LinearRecentredAttention, without_normalisation_only_shifts) {
  for (const Betas& beta : {Betas{0, 0}, Betas{1, 1}, Betas{-0.5, 2}})
    expect_dense_recentred(random_problem<TypeParam>({2, 2, 66, 66, 4, 3}, 22), beta, {.normalised = false}, {},
                           "beta " + std::to_string(beta[0]));
  const auto p = random_problem<TypeParam>({1, 2, 66, 66, 4, 3}, 22);
  EXPECT_EQ(linear_recentred(p.q, p.k, p.v, {0, 0}, {.normalised = false}, {}).out,
            linear_attend(p.q, p.k, p.v, {}).out)
      << "a shift by 0 is none";
}

TYPED_TEST(LinearRecentredAttention, takes_its_statistics_of_real_keys_alone) {
  for (const bool causal : {false, true})
    for (const bool normalised : {false, true})
      expect_dense_recentred(
          random_problem<TypeParam>({7, 2, 130, 130, 4, 5}, 23), {1, 0.25}, {.normalised = normalised},
          {.causal = causal, .key_lengths = {130, 129, 128, 65, 64, 63, 2}}, causal ? "causal" : "all keys");
}

TYPED_TEST(LinearRecentredAttention, of_one_real_key_gives_its_value_the_weight_of_a_key_that_is_its_own_mean) {
  // With beta = 1 the only key becomes 0, phi(0) = 1; an epsilon of the size of the weight keeps it from being 1.
  const LinearOptions options{.epsilon = 2, .key_lengths = {1, 0}};
  const RecentreOptions recentring{.epsilon = 0.25, .key_lengths = {1, 0}};
  const auto p = random_problem<TypeParam>({2, 1, 66, 66, 3, 2}, 24);
  const auto out = linear_recentred(p.q, p.k, p.v, {1}, recentring, options).out;
  for (const Index i : {0, 1, 63, 64, 65}) {
    double weight = 0;
    for (Index d = 0; d < 3; ++d) {
      const double q = (static_cast<double>(p.q.at(0, 0, i, d)) - static_cast<double>(p.k.at(0, 0, 0, d))) / 0.5;
      weight += q > 0 ? q + 1 : std::exp(q);
    }
    for (Index d = 0; d < 2; ++d) {
      EXPECT_NEAR(static_cast<double>(out.at(0, 0, i, d)),
                  weight / (weight + 2) * static_cast<double>(p.v.at(0, 0, 0, d)), rounded_once<TypeParam>);
      EXPECT_EQ(out.at(1, 0, i, d), 0) << "no keys";
    }
  }
  expect_dense_recentred(p, {0.5}, {.epsilon = 0.25}, options, "beta 0.5");
}

TYPED_TEST(LinearRecentredAttention, never_reads_what_is_padding_and_sends_nothing_back_to_it) {
  const LinearOptions options{.key_lengths = {70, 64, 1}};
  const RecentreOptions recentring{.key_lengths = {70, 64, 1}};
  const Betas beta{1, 0.5};
  auto p = random_problem<TypeParam>({3, 2, 70, 70, 5, 3}, 25);
  const auto before = linear_recentred(p.q, p.k, p.v, beta, recentring, options);
  const auto of_before = linear_recentred_backward(p.q, p.k, p.v, beta, recentring, options, before, p.dout);
  for (Index b = 0; b < 3; ++b)
    for (Index h = 0; h < 2; ++h)
      for (Index j = options.key_lengths[static_cast<std::size_t>(b)]; j < 70; ++j)
        for (Index d = 0; d < 3; ++d)
          p.k.at(b, h, j, d) = p.v.at(b, h, j, d) = std::numeric_limits<TypeParam>::quiet_NaN();
  const auto after = linear_recentred(p.q, p.k, p.v, beta, recentring, options);
  const auto of_after = linear_recentred_backward(p.q, p.k, p.v, beta, recentring, options, after, p.dout);
  EXPECT_EQ(after.out, before.out);
  EXPECT_EQ(of_after.q, of_before.q);
  EXPECT_EQ(of_after.k, of_before.k);
  EXPECT_EQ(of_after.v, of_before.v);
  EXPECT_EQ(of_after.beta, of_before.beta);
  EXPECT_EQ(of_after.k.at(1, 1, 64, 0), 0);
  EXPECT_EQ(of_after.v.at(2, 0, 1, 2), 0);
}

TEST(LinearRecentredBackward, agrees_with_central_differences) {
  const LinearOptions options{.epsilon = 0.5, .key_lengths = {5, 3}};
  const RecentreOptions recentring{.epsilon = 0.1, .key_lengths = {5, 3}};
  auto p = random_problem<double>({2, 2, 4, 5, 2, 3}, 26);
  Tensor<double> beta({2}, {0.75, -0.5});
  const auto attended = [&] {
    return linear_recentred(p.q, p.k, p.v, {beta.data()[0], beta.data()[1]}, recentring, options);
  };
  const auto g = linear_recentred_backward(p.q, p.k, p.v, {0.75, -0.5}, recentring, options, attended(), p.dout);
  // A central difference of step h errs by h^2 |f'''|/6 + 2^-53 |f|/h: below 1e-8 for terms of order one to ten.
  constexpr double step = 1e-5, difference_error = 1e-8;
  const auto expect_gradient = [&](Tensor<double>& input, const Tensor<double>& gradient, const char* name) {
    for (Index i = 0; i < input.size(); ++i) {
      const double value = input.data()[i];
      input.data()[i] = value + step;
      const double above = inner_product(attended().out, p.dout);
      input.data()[i] = value - step;
      const double below = inner_product(attended().out, p.dout);
      input.data()[i] = value;
      ASSERT_NEAR(gradient.data()[i], (above - below) / (2 * step), difference_error) << name << " entry " << i;
    }
  };
  expect_gradient(p.q, g.q, "q");
  expect_gradient(p.k, g.k, "k");
  expect_gradient(p.v, g.v, "v");
  expect_gradient(beta, Tensor<double>({2}, g.beta), "beta");
}

TEST(LinearRecentredOfFloats, rounds_nothing_between_the_steps) {
  // Keys that deviate from their mean by a thousandth: 1/s makes a thousand of what rounding q' and k' changes, and the
  // exponential of what lies far below the mean takes all of it.
  auto p = random_problem<float>({1, 1, 80, 80, 4, 3}, 27);
  for (float& key : p.k.values()) key = 1 + 0.001F * key;
  for (float& query : p.q.values()) query = 0.98F + 0.002F * query;
  expect_dense_recentred(p, {1}, {.epsilon = 1e-12}, {}, "narrow keys");
  const auto rounded = recentre(p.q, p.k, {1.0F}, {.epsilon = 1e-12});
  const auto by_steps = linear_attend(rounded.q, rounded.k, p.v, {});
  const auto exact = dense_recentred(p, {1}, {.epsilon = 1e-12}, {});
  EXPECT_GT(relative_error(by_steps.out, exact.out), 1.5 * rounded_once<float>);
}

TYPED_TEST(LinearRecentredAttention, has_the_same_bits_for_any_number_of_threads) {
  const auto p = random_problem<TypeParam>({3, 3, 130, 130, 16, 8}, 28);
  const RecentreOptions recentring{.key_lengths = {130, 64, 1}};
  const Betas beta{1, 0.5, 0.25};
  for (const bool causal : {false, true}) {
    dense::expect_same_bits([&](unsigned threads) {
      const LinearOptions options{.causal = causal, .key_lengths = {130, 64, 1}, .threads = threads};
      auto attended = linear_recentred(p.q, p.k, p.v, beta, recentring, options);
      auto gradients = linear_recentred_backward(p.q, p.k, p.v, beta, recentring, options, attended, p.dout);
      return std::tuple(std::move(attended.out), std::move(gradients.q), std::move(gradients.k), std::move(gradients.v),
                        std::move(gradients.beta));
    });
  }
}

TYPED_TEST(LinearRecentredAttention, refuses_either_epsilon_that_is_not_above_0) {
  const auto p = random_problem<TypeParam>({1, 1, 3, 3, 2, 2}, 29);
  for (const double epsilon : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(linear_recentred(p.q, p.k, p.v, {1}, {.epsilon = epsilon}, {}), std::invalid_argument);
    EXPECT_THROW(linear_recentred(p.q, p.k, p.v, {1}, {}, {.epsilon = epsilon}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace attest::attention
