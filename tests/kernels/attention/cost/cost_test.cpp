#include "kernels/attention/cost/cost.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/counted.hpp"
#include "tests/kernels/attention/plain/linear.hpp"
#include "tests/kernels/attention/plain/nystrom.hpp"
#include "tests/kernels/attention/plain/pooling.hpp"
#include "tests/kernels/attention/plain/softmax.hpp"
#include "tests/kernels/attention/plain/stages.hpp"

namespace attest::attention {
namespace {

using plain::Counted, plain::Index, plain::Tally;
using Matrix = plain::Matrix<Counted>;

/// Entries that are all different and in (-1, 1).
Matrix numbers(Index rows, Index cols, double phase) {
  Matrix m(rows, cols);
  for (std::size_t i = 0; i < m.entries.size(); ++i)
    m.entries[i] = Counted(std::sin(phase + 1.7 * static_cast<double>(i)));
  return m;
}

/// What `f` counts.
template <typename F>
Tally counted(F f) {
  Counted::tally() = {};
  f();
  return Counted::tally();
}

struct Sizes {
  Index queries, keys, dim, value_dim;
};

class CostOf : public testing::TestWithParam<Sizes> {
 protected:
  const Sizes n = GetParam();
  CostShape shape{.queries = n.queries, .keys = n.keys, .dim = n.dim, .value_dim = n.value_dim};
  const Matrix q = numbers(n.queries, n.dim, 1), k = numbers(n.keys, n.dim, 2), v = numbers(n.keys, n.value_dim, 3),
               dout = numbers(n.queries, n.value_dim, 4);
  const Counted scale = Counted(0.5);
};

void expect_forward(const Tally& tally, const Cost& cost) {
  EXPECT_EQ(tally.macs, cost.forward_macs);
  EXPECT_EQ(tally.flops(), cost.forward_flops);
}

void expect_backward(const Tally& tally, const Cost& cost) {
  EXPECT_EQ(tally.macs, cost.backward_macs);
  EXPECT_EQ(tally.flops(), cost.backward_flops);
}

TEST_P(CostOf, softmax_with_kept_weights_is_what_the_plain_algorithm_counts) {
  shape.keeps_weights = true;
  Matrix a;
  expect_forward(counted([&] {
                   a = plain::weights(q, k, scale);
                   plain::product(a, v);
                 }),
                 attend_cost(shape));
  expect_backward(counted([&] { plain::softmax_gradients(q, k, v, scale, a, dout); }), attend_cost(shape));
}

TEST_P(CostOf, softmax_in_tiles_is_what_the_streamed_algorithm_counts) {
  for (const bool causal : {false, true}) {
    shape.causal = causal;
    const auto sees = [&](Index i, Index j) { return !causal || j <= i; };
    plain::Streamed<Counted> forward;
    expect_forward(counted([&] { forward = plain::streamed(q, k, v, scale, sees); }), attend_cost(shape));
    expect_backward(counted([&] { plain::streamed_gradients(q, k, v, scale, sees, forward, dout); }),
                    attend_cost(shape));
  }
}

TEST_P(CostOf, sparse_attention_is_linear_in_the_visible_pairs) {
  const auto sees = [&](Index i, Index j) { return j == 0 || (i + j) % 3 == 0; };
  double pairs = 0;
  for (Index i = 0; i < n.queries; ++i)
    for (Index j = 0; j < n.keys; ++j) pairs += sees(i, j) ? 1 : 0;
  plain::Streamed<Counted> forward;
  expect_forward(counted([&] { forward = plain::streamed(q, k, v, scale, sees); }), sparse_cost(shape, pairs));
  expect_backward(counted([&] { plain::streamed_gradients(q, k, v, scale, sees, forward, dout); }),
                  sparse_cost(shape, pairs));
}

TEST_P(CostOf, twicing_with_kept_weights_is_what_the_plain_algorithm_counts) {
  if (n.queries != n.keys) GTEST_SKIP() << "twicing needs as many queries as keys";
  shape.keeps_weights = true;
  plain::Twiced<Counted> forward;
  expect_forward(counted([&] { forward = plain::twiced(q, k, v, scale); }), twicing_cost(shape));
  expect_backward(counted([&] { plain::twicing_gradients(q, k, v, scale, forward, dout); }), twicing_cost(shape));
}

TEST_P(CostOf, twicing_in_tiles_is_what_the_streamed_algorithm_counts) {
  if (n.queries != n.keys) GTEST_SKIP() << "twicing needs as many queries as keys";
  for (const bool causal : {false, true}) {
    shape.causal = causal;
    const auto sees = [&](Index i, Index j) { return !causal || j <= i; };
    plain::StreamedTwice<Counted> forward;
    expect_forward(counted([&] { forward = plain::streamed_twice(q, k, v, scale, sees); }), twicing_cost(shape));
    expect_backward(counted([&] { plain::streamed_twice_gradients(q, k, v, scale, sees, forward, dout); }),
                    twicing_cost(shape));
  }
}

TEST_P(CostOf, linear_attention_is_what_the_plain_algorithm_counts) {
  plain::Linear<Counted> forward;
  expect_forward(counted([&] { forward = plain::linear(q, k, v, Counted(1e-6)); }), linear_cost(shape));
  expect_backward(counted([&] { plain::linear_gradients(q, k, v, forward, dout); }), linear_cost(shape));
}

TEST_P(CostOf, causal_linear_attention_is_what_running_sums_count) {
  if (n.queries < n.keys) GTEST_SKIP() << "keys that no query sees are never added";
  shape.causal = true;
  plain::Linear<Counted> forward;
  expect_forward(counted([&] { forward = plain::causal_linear(q, k, v, Counted(1e-6)); }), linear_cost(shape));
  expect_backward(counted([&] { plain::causal_linear_gradients(q, k, v, forward, dout); }), linear_cost(shape));
}

TEST_P(CostOf, pooling_is_what_the_plain_algorithm_counts) {
  for (const Index factor : {2, 3})
    for (const bool keeps_remainder : {true, false}) {
      const Index pooled = plain::pooled_count(n.keys, factor, keeps_remainder);
      const Tally tally = counted([&] {
        plain::pooled(k, factor, keeps_remainder, n.keys);
        plain::pooled(v, factor, keeps_remainder, n.keys);
      });
      const Cost cost = pool_cost(shape, factor, pooled, keeps_remainder ? n.keys : pooled * factor);
      expect_forward(tally, cost);
      const Matrix dk = numbers(pooled, n.dim, 7), dv = numbers(pooled, n.value_dim, 8);
      expect_backward(counted([&] {
                        plain::pooled_gradient(dk, factor, n.keys);
                        plain::pooled_gradient(dv, factor, n.keys);
                      }),
                      cost);
    }
}

TEST_P(CostOf, nystrom_attention_is_what_the_plain_algorithm_counts) {
  const Index landmarks = std::min<Index>({3, n.queries, n.keys});
  plain::Nystrom<Counted> forward;
  expect_forward(counted([&] { forward = plain::nystrom(q, k, v, landmarks, 6); }), nystrom_cost(shape, landmarks, 6));
  expect_backward(counted([&] { plain::nystrom_gradients(forward, v, dout); }), nystrom_cost(shape, landmarks, 6));
}

TEST_P(CostOf, linformer_is_what_the_plain_algorithm_counts) {
  shape.keeps_weights = true;
  constexpr Index rank = 3;
  const Matrix e = numbers(rank, n.keys, 5), f = numbers(rank, n.keys, 6);
  Matrix a, pk, pv;
  expect_forward(counted([&] {
                   pk = plain::product(e, k);
                   pv = plain::product(f, v);
                   a = plain::weights(q, pk, scale);
                   plain::product(a, pv);
                 }),
                 linformer_cost(shape, rank));
  expect_backward(counted([&] {
                    const auto g = plain::softmax_gradients(q, pk, pv, scale, a, dout);
                    plain::product(transposed(e), g.k);
                    plain::product(transposed(f), g.v);
                    plain::product(g.k, transposed(k));
                    plain::product(g.v, transposed(v));
                  }),
                  linformer_cost(shape, rank));
}

TEST_P(CostOf, recentring_is_what_the_plain_algorithm_counts) {
  for (const bool normalised : {false, true})
    for (const bool learnable : {false, true}) {
      plain::Recentred<Counted> forward;
      const Cost cost = recentre_cost(shape, normalised, learnable);
      expect_forward(counted([&] { forward = plain::recentred(q, k, Counted(0.6), normalised, Counted(1e-5)); }), cost);
      expect_backward(counted([&] { plain::recentred_gradients(q, k, Counted(0.6), learnable, forward, q, k); }), cost);
    }
}

TEST_P(CostOf, convolution_is_what_the_plain_algorithm_counts) {
  const std::vector<Counted> kernel(5, Counted(0.2));
  expect_forward(counted([&] {
                   plain::convolved(q, kernel, 2);
                   plain::convolved(k, kernel, 2);
                 }),
                 convolution_cost(shape, 5));
  expect_backward(counted([&] {
                    plain::convolved_gradients(q, kernel, 2, q);
                    plain::convolved_gradients(k, kernel, 2, k);
                  }),
                  convolution_cost(shape, 5));
}

std::string sizes_name(const testing::TestParamInfo<Sizes>& tested) {
  return "q" + std::to_string(tested.param.queries) + "_k" + std::to_string(tested.param.keys);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CostOf,
                         testing::Values(Sizes{1, 1, 1, 1}, Sizes{5, 5, 3, 2}, Sizes{7, 4, 2, 3},
                                         Sizes{3, 8, 4, 4}, Sizes{12, 12, 4, 4}),
                         sizes_name);

TEST(Cost, counts_every_head_of_every_sequence) {
  const CostShape one{.queries = 9, .keys = 7, .dim = 3, .value_dim = 2};
  CostShape many = one;
  many.batch = 3;
  many.heads = 5;
  EXPECT_EQ(attend_cost(many).forward_flops, 15 * attend_cost(one).forward_flops);
  EXPECT_EQ(linear_cost(many).backward_bytes, 15 * linear_cost(one).backward_bytes);
}

TEST(Cost, parts_add) {
  const CostShape shape{.queries = 4, .keys = 4, .dim = 2, .value_dim = 2};
  const Cost a = attend_cost(shape), b = recentre_cost(shape, true, true), sum = a + b;
  EXPECT_EQ(sum.forward_flops, a.forward_flops + b.forward_flops);
  EXPECT_EQ(sum.backward_macs, a.backward_macs + b.backward_macs);
  EXPECT_EQ(sum.backward_bytes, a.backward_bytes + b.backward_bytes);
}

TEST(Cost, memory_without_kept_weights_grows_linearly_and_with_them_quadratically) {
  CostShape shape{.queries = 1000, .keys = 1000, .dim = 16, .value_dim = 16};
  CostShape twice = shape;
  twice.queries = twice.keys = 2000;
  EXPECT_EQ(attend_cost(twice).backward_bytes, 2 * attend_cost(shape).backward_bytes);
  EXPECT_EQ(twicing_cost(twice).backward_bytes, 2 * twicing_cost(shape).backward_bytes);
  shape.keeps_weights = twice.keeps_weights = true;
  EXPECT_EQ(attend_cost(twice).backward_bytes, 4 * attend_cost(shape).backward_bytes);
}

}  // namespace
}  // namespace attest::attention
