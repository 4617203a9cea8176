// The CUDA kernels' own source, run on the processor (emulated_cuda/emulation.hpp), against the reference: index
// arithmetic, masks, alignment and synchronisation are tested where there is no device.
#include <gtest/gtest.h>

#include "kernels/attention/cuda/backward.cuh"
#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

template <typename D>
std::vector<D> stored(const Tensor<cuda::Accumulator<D>>& array) {
  std::vector<D> result;
  for (const auto value : array.values()) result.push_back(D(value));
  return result;
}

template <typename D>
Tensor<double> in_double(const std::vector<D>& array, const Shape& shape) {
  Tensor<double> result(shape);
  for (std::size_t i = 0; i < array.size(); ++i)
    result.values()[i] = static_cast<double>(static_cast<cuda::Accumulator<D>>(array[i]));
  return result;
}

template <typename D>
HeadsView<D> view(std::vector<D>& array, const Shape& shape) {
  return {array.data(), shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3]};
}

template <typename T>
const T* or_null(const std::vector<T>& array) {
  return array.empty() ? nullptr : array.data();
}

template <typename D>
void expect_emulated_agreement(const TestProblem<cuda::Accumulator<D>>& t, int tile, double bound) {
  using T = cuda::Accumulator<D>;
  auto q = stored<D>(t.q), k = stored<D>(t.k), v = stored<D>(t.v), dout = stored<D>(t.dout);
  std::vector<D> out(dout.size()), dq(q.size()), dk(k.size()), dv(v.size());
  CudaAttendProblem<D> p;
  p.batch = t.q.extent(0), p.heads = t.q.extent(1), p.queries = t.q.extent(2), p.keys = t.k.extent(2);
  p.dim = t.q.extent(3), p.value_dim = t.v.extent(3);
  p.q = view(q, t.q.shape()).read_only();
  p.k = view(k, t.k.shape()).read_only();
  p.v = view(v, t.v.shape()).read_only();
  p.scale = t.options.scale;
  p.mask = {t.options.mask.causal, or_null(t.options.mask.key_lengths), or_null(t.options.mask.visible)};
  p.slopes = or_null(t.options.bias.slopes);
  p.dense_bias = t.options.bias.dense.empty() ? nullptr : t.options.bias.dense.data();
  p.dropout = t.options.dropout;
  const auto rows = static_cast<std::size_t>(p.batch * p.heads * p.queries);
  std::vector<T> largest(rows), normaliser(rows), dbias(t.options.bias.dense.values().size());
  const std::uint32_t threshold = dropout_threshold(p.dropout.rate);
  const Index query_blocks = (p.queries + tile - 1) / tile, key_blocks = (p.keys + tile - 1) / tile;

  emulation::launch(p.batch * p.heads * query_blocks, [&] {
    cuda::forward_kernel<D>(p, tile, threshold, view(out, t.dout.shape()), largest.data(), normaliser.data());
  });
  const cuda::Saved<D> saved{view(out, t.dout.shape()).read_only(), largest.data(), normaliser.data(),
                             view(dout, t.dout.shape()).read_only()};
  const CudaGradients<D> to{view(dq, t.q.shape()), view(dk, t.k.shape()), view(dv, t.v.shape()),
                            dbias.empty() ? nullptr : dbias.data()};
  emulation::launch((dbias.empty() ? p.batch : 1) * p.heads * query_blocks,
                    [&] { cuda::query_gradients_kernel<D>(p, tile, threshold, saved, to); });
  emulation::launch(p.batch * p.heads * key_blocks,
                    [&] { cuda::key_gradients_kernel<D>(p, tile, threshold, saved, to); });

  const auto exact_q = converted<double>(t.q), exact_k = converted<double>(t.k), exact_v = converted<double>(t.v);
  const auto options = in_double(t.options);
  const auto exact = attend_reference(exact_q, exact_k, exact_v, options);
  const auto gradients =
      attend_backward_reference(exact_q, exact_k, exact_v, options, exact, converted<double>(t.dout));
  EXPECT_LE(relative_error(in_double(out, t.dout.shape()), exact.out), bound) << "tile " << tile;
  EXPECT_LE(relative_error(in_double(dq, t.q.shape()), gradients.q), bound) << "dq, tile " << tile;
  EXPECT_LE(relative_error(in_double(dk, t.k.shape()), gradients.k), bound) << "dk, tile " << tile;
  EXPECT_LE(relative_error(in_double(dv, t.v.shape()), gradients.v), bound) << "dv, tile " << tile;
  EXPECT_LE(relative_error(in_double(dbias, t.options.bias.dense.shape()), gradients.bias), bound) << "dbias";
}

// One problem plain, one with every option; lengths that fit no tile.
template <typename D>
void expect_emulated_agreement(int tile, double bound) {
  using T = cuda::Accumulator<D>;
  expect_emulated_agreement<D>(random_problem<T>({1, 2, 20, 37, 20, 5}, 1), tile, bound);
  auto p = random_problem<T>({2, 1, 37, 37, 5, 20}, 2);
  turn_everything_on(p, 3);
  expect_emulated_agreement<D>(p, tile, bound);
}

TEST(AttendCudaEmulation, agrees_with_the_reference_in_double) {
  expect_emulated_agreement<double>(16, stated_error<double>);
  expect_emulated_agreement<double>(32, stated_error<double>);
}

TEST(AttendCudaEmulation, agrees_with_the_reference_in_float) {
  expect_emulated_agreement<float>(16, stated_error<float>);
}

TEST(AttendCudaEmulation, agrees_with_the_reference_through_tensor_cores) {
  expect_emulated_agreement<__half>(16, half_error);
  expect_emulated_agreement<__nv_bfloat16>(32, bfloat16_error);
}

}  // namespace
}  // namespace attest::attention
