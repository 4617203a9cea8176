#include "kernels/attention/attend/attend_view.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernels/attention/attend/tile_operations.hpp"
#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

template <typename T>
class AttendView : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(AttendView, Precisions);

template <typename T>
struct Result {
  Attended<T> attended;
  AttendGradients<T> gradients;
};

// The rows of a tensor `apart` entries from each other.
template <typename T>
Tensor<T> spread_out(const Tensor<T>& x, Index apart) {
  Tensor<T> far({x.extent(0), x.extent(1), x.extent(2), apart});
  const Index width = x.extent(3);
  for (Index row = 0; row < x.size() / width; ++row)
    std::copy_n(x.data() + row * width, width, far.data() + row * apart);
  return far;
}

// Forward and backward on the tensors of `p` with all keys visible, by the given instructions; the rows of q, k, v and
// dout `apart` entries from each other.
template <typename T>
Result<T> run(const TestProblem<T>& p, const TileOperations<T>* operations, Index apart = 0) {
  const auto placed = [&](const Tensor<T>& x) { return apart == 0 ? x : spread_out(x, apart); };
  const Tensor<T> q = placed(p.q), k = placed(p.k), v = placed(p.v), dout = placed(p.dout);
  AttendProblem<T> problem{.batch = p.q.extent(0),
                           .heads = p.q.extent(1),
                           .queries = p.q.extent(2),
                           .keys = p.k.extent(2),
                           .dim = p.q.extent(3),
                           .value_dim = p.v.extent(3),
                           .q = heads_view(q),
                           .k = heads_view(k),
                           .v = heads_view(v),
                           .scale = p.options.scale,
                           .mask = {.causal = p.options.mask.causal},
                           .operations = operations};
  const Shape rows{problem.batch, problem.heads, problem.queries};
  Result<T> r{{Tensor<T>(p.dout.shape()), Tensor<T>(rows), Tensor<T>(rows)},
              {Tensor<T>(p.q.shape()), Tensor<T>(p.k.shape()), Tensor<T>(p.v.shape()), {}}};
  attend_view(problem, heads_view(r.attended.out), r.attended.largest.data(), r.attended.normaliser.data());
  attend_backward_view(problem, heads_view(std::as_const(r.attended.out)), r.attended.largest.data(),
                       r.attended.normaliser.data(), heads_view(dout),
                       {heads_view(r.gradients.q), heads_view(r.gradients.k), heads_view(r.gradients.v)});
  return r;
}

template <typename T>
void expect_same_bits(const Result<T>& a, const Result<T>& b, const std::string& what) {
  EXPECT_EQ(a.attended.out, b.attended.out) << what;
  EXPECT_EQ(a.attended.largest, b.attended.largest) << what;
  EXPECT_EQ(a.attended.normaliser, b.attended.normaliser) << what;
  EXPECT_EQ(a.gradients.q, b.gradients.q) << what;
  EXPECT_EQ(a.gradients.k, b.gradients.k) << what;
  EXPECT_EQ(a.gradients.v, b.gradients.v) << what;
}

TYPED_TEST(AttendView, has_the_same_bits_with_every_set_of_instructions) {
  auto p = random_problem<TypeParam>({1, 2, 300, 270, 20, 36}, 1);
  for (const bool causal : {false, true}) {
    p.options.mask.causal = causal;
    const auto sets = tile_operations<TypeParam>();
    const auto first = run<TypeParam>(p, sets.front());
    for (const auto* set : sets) expect_same_bits(first, run<TypeParam>(p, set), set->name);
  }
}

TYPED_TEST(AttendView, has_the_same_bits_for_rows_that_lie_far_apart) {
  const auto p = random_problem<TypeParam>({1, 2, 150, 130, 16, 32}, 4);
  const auto near = run<TypeParam>(p, nullptr);
  for (const Index apart : {40, 512, 4096})
    expect_same_bits(near, run<TypeParam>(p, nullptr, apart), std::to_string(apart) + " entries apart");
}

TYPED_TEST(AttendView, has_the_same_bits_with_any_number_of_threads) {
  auto p = random_problem<TypeParam>({2, 1, 600, 300, 8, 8}, 2);
  turn_everything_on(p, 3);
  const auto result = [&](unsigned threads) {
    p.options.threads = threads;
    auto attended = attend(p.q, p.k, p.v, p.options);
    auto gradients = attend_backward(p.q, p.k, p.v, p.options, attended, p.dout);
    return Result<TypeParam>{std::move(attended), std::move(gradients)};
  };
  const auto one = result(1);
  for (const unsigned threads : {2U, 7U}) {
    const auto several = result(threads);
    expect_same_bits(one, several, std::to_string(threads) + " threads");
    EXPECT_EQ(one.gradients.bias, several.gradients.bias);
  }
}

TYPED_TEST(AttendView, reads_and_writes_heads_inside_token_arrays) {
  const auto p = random_problem<TypeParam>({2, 3, 70, 70, 8, 8}, 4);
  const auto attended = attend(p.q, p.k, p.v, p.options);
  const auto gradients = attend_backward(p.q, p.k, p.v, p.options, attended, p.dout);
  // [B][N][H D] arrays: the strides of a head are those of a projection's output.
  using Array = Tensor<TypeParam>;
  const auto tokens = [](const Array& array) {
    Array result({2, 70, 24});
    for (Index b = 0; b < 2; ++b)
      for (Index h = 0; h < 3; ++h)
        for (Index n = 0; n < 70; ++n)
          for (Index d = 0; d < 8; ++d) result.data()[(b * 70 + n) * 24 + h * 8 + d] = array.at(b, h, n, d);
    return result;
  };
  const auto view = [](auto& array) {
    return HeadsView<std::remove_pointer_t<decltype(array.data())>>{array.data(), 70 * 24, 8, 24};
  };
  const Array q = tokens(p.q), k = tokens(p.k), v = tokens(p.v), dout = tokens(p.dout);
  Array out({2, 70, 24}), dq({2, 70, 24}), dk({2, 70, 24}), dv({2, 70, 24}), largest({2, 3, 70}),
      normaliser({2, 3, 70});
  const AttendProblem<TypeParam> problem{.batch = 2,
                                         .heads = 3,
                                         .queries = 70,
                                         .keys = 70,
                                         .dim = 8,
                                         .value_dim = 8,
                                         .q = view(q),
                                         .k = view(k),
                                         .v = view(v),
                                         .scale = p.options.scale};
  attend_view(problem, view(out), largest.data(), normaliser.data());
  EXPECT_EQ(out, tokens(attended.out));
  attend_backward_view(problem, view(std::as_const(out)), largest.data(), normaliser.data(), view(dout),
                       {view(dq), view(dk), view(dv)});
  EXPECT_EQ(dq, tokens(gradients.q));
  EXPECT_EQ(dk, tokens(gradients.k));
  EXPECT_EQ(dv, tokens(gradients.v));
}

}  // namespace
}  // namespace attest::attention
