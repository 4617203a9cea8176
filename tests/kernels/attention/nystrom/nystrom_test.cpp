#include "kernels/attention/nystrom/nystrom.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/nystrom.hpp"
#include "tests/kernels/attention/plain/pooling.hpp"

namespace attest::attention {
namespace {

using plain::expect_formula, plain::Matrix, plain::Problem, plain::product, plain::queries_keys_values, plain::Traced;

/// The condition number of a softmax matrix of six tokens, about 10^4, squared, times 2^-53.
constexpr double inverse_tolerance = 1e-9;

/// Two heads: slopes 2^-4 and 2^-8. Forms A and G (and what comes of G) anew, with their biases; F is left to the
/// caller.
void add_biases(plain::Nystrom<Traced>& n, const Matrix<Traced>& values, Index h, Index queries) {
  const double slope = h == 0 ? 1.0 / 16 : 1.0 / 256;
  const Index m = n.qm.rows;
  Matrix<Traced> bias(n.qs.rows, n.ks.rows);
  for (Index i = 0; i < bias.rows; ++i)
    for (Index j = 0; j < bias.cols; ++j) bias(i, j) = Traced(-slope * static_cast<double>(std::abs(i - j)));
  const Matrix<Traced> of_landmarks = transposed(plain::segment_means(transposed(bias), m));
  n.f = n.f + of_landmarks;
  n.a = product(n.qm, transposed(n.km)) + plain::segment_means(plain::top(of_landmarks, queries), m);
  n.b = product(n.qm, transposed(n.ks)) + plain::segment_means(plain::top(bias, queries), m);
  plain::normalise_rows(n.a);
  plain::normalise_rows(n.b);
  n.bv = product(n.b, values);
  n.largest_column = Traced(0);
  for (Index j = 0; j < m; ++j) {
    Traced sum(0);
    for (Index i = 0; i < m; ++i) sum = sum + n.a(i, j);
    n.largest_column = maximum(n.largest_column, sum);
  }
}

/// With `batch`, the steps of every head start from the largest column sum of all heads.
/// `biased`: with ALiBi's biases of the logits of all tokens, averaged as queries and keys are.
plain::Formula formula(Index landmarks, int iterations, bool batch, bool biased = false) {
  return [=](const Problem<Traced>& p) {
    const auto head = [&](Index b, Index h, int steps) {
      const Index keys = p.extent("k", 2), length = p.length(b, keys);
      const Index queries = p.extent("q", 2) == keys ? length : p.extent("q", 2);
      const Index m = std::min({landmarks, queries, length});
      const Matrix<Traced> q = p.head("q", b, h), k = plain::top(p.head("k", b, h), length);
      // Landmarks from the real queries, outputs for all.
      const Matrix<Traced> v = plain::top(p.head("v", b, h), length);
      auto n = plain::nystrom(plain::top(q, queries), k, v, m, 0);
      n.qs = q * Traced(std::pow(static_cast<double>(q.cols), -0.25));
      n.f = product(n.qs, transposed(n.km));
      if (biased) add_biases(n, v, h, queries);
      plain::normalise_rows(n.f);
      return steps < 0 ? std::pair{n, Traced(0)} : std::pair{n, n.largest_column};
    };
    Traced largest(0);
    for (Index b = 0; batch && b < p.extent("q", 0); ++b)
      for (Index h = 0; h < p.extent("q", 1); ++h) largest = maximum(largest, head(b, h, 0).second);
    return plain::heads<Traced>(p.extent("q", 0), p.extent("q", 1), [&](Index b, Index h) {
      auto [n, own] = head(b, h, 0);
      n.z = transposed(n.a);
      for (Traced& z : n.z.entries) z = z / (batch ? largest : own);
      for (int step = 0; step < iterations; ++step) {
        const Matrix<Traced> y = product(n.a, n.z);
        const Matrix<Traced> inner = plain::identity_minus(15, product(y, plain::identity_minus(7, y)));
        n.z = product(n.z, plain::identity_minus(13, product(y, inner))) * Traced(0.25);
      }
      return product(n.f, product(n.z, n.bv));
    });
  };
}

TEST(Nystromformer, is_its_formula_with_gradients_through_every_step) {
  for (const char* iterations : {"0", "1", "6"})
    for (const bool batch : {false, true})
      for (const char* landmarks : {"1", "3", "4"}) {
        const Settings settings{
            {"landmarks", landmarks}, {"iterations", iterations}, {"maximum", batch ? "batch" : "own"}};
        const auto expected = formula(std::stoll(landmarks), std::stoi(iterations), batch);
        expect_formula("nystromformer", {queries_keys_values(2, 2, 9, 11, 4, 3), settings, {}, {}, 1}, expected);
        Call<double> padded{queries_keys_values(2, 2, 11, 11, 4, 3), settings, {}, {}, 1};
        padded.mask.key_lengths = {11, 7};
        expect_formula("nystromformer", padded, expected);
      }
}

TEST(NystromformerAlibi, averages_the_biases_as_the_queries_and_keys) {
  for (const char* landmarks : {"1", "3", "4"}) {
    const Settings settings{{"landmarks", landmarks}, {"iterations", "6"}};
    const auto expected = formula(std::stoll(landmarks), 6, false, true);
    expect_formula("nystromformer-alibi", {queries_keys_values(2, 2, 9, 11, 4, 3), settings, {}, {}, 1}, expected);
    Call<double> padded{queries_keys_values(2, 2, 11, 11, 4, 3), settings, {}, {}, 1};
    padded.mask.key_lengths = {11, 7};
    expect_formula("nystromformer-alibi", padded, expected);
  }
}

TEST(NystromformerAlibi, with_a_landmark_a_token_and_many_steps_is_alibi) {
  const Arrays<double> inputs = queries_keys_values(2, 2, 6, 6, 4, 3);
  const Call<double> nystrom{inputs, {{"landmarks", "6"}, {"iterations", "60"}}, {}, {}, 1},
      alibi{inputs, {}, {}, {}, 1};
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("nystromformer-alibi"), nystrom).out,
                                     evaluate(find_mechanism("alibi"), alibi).out),
            inverse_tolerance);
}

TEST(Nystromformer, with_a_landmark_a_token_and_many_steps_is_softmax_attention) {
  const Arrays<double> inputs = queries_keys_values(1, 2, 6, 6, 4, 3);
  const Call<double> nystrom{inputs, {{"landmarks", "6"}, {"iterations", "60"}}, {}, {}, 1},
      softmax{inputs, {}, {}, {}, 1};
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("nystromformer"), nystrom).out,
                                     evaluate(find_mechanism("softmax"), softmax).out),
            inverse_tolerance);
}

}  // namespace
}  // namespace attest::attention
