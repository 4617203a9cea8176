// The CUDA kernels' own source, run on the processor (emulated_cuda/emulation.hpp), against the reference: index
// arithmetic, masks, alignment and synchronisation are tested where there is no device.
#include <algorithm>
#include <array>
#include <iterator>

#include <gtest/gtest.h>

#include "kernels/attention/cuda/backward.cuh"
#include "kernels/attention/cuda/drop_entries.cuh"
#include "kernels/attention/cuda/tensor_backward.cuh"
#include "kernels/attention/cuda/tensor_forward.cuh"
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

/// The arguments of both passes.
template <typename D>
struct Passes {
  CudaAttendProblem<D> p;
  HeadsView<D> out;
  cuda::Accumulator<D>*largest, *normaliser;
  HeadsView<const D> dout;
  CudaGradients<D> to;

  cuda::Saved<D> saved() const { return {out.read_only(), largest, normaliser, dout}; }
  std::uint32_t threshold() const { return dropout_threshold(p.dropout.rate); }
};

Index blocks_of(Index tokens, Index tile) { return (tokens + tile - 1) / tile; }

/// Both passes by the kernels of forward.cuh and backward.cuh.
template <typename D>
auto in_tiles_of(int tile) {
  return [tile](const Passes<D>& at) {
    const auto& p = at.p;
    emulation::launch(p.batch * p.heads * blocks_of(p.queries, tile),
                      [&] { cuda::forward_kernel<D>(p, tile, at.threshold(), at.out, at.largest, at.normaliser); });
    const Index sequences = at.to.dense_bias == nullptr ? p.batch : 1;
    emulation::launch(sequences * p.heads * blocks_of(p.queries, tile),
                      [&] { cuda::query_gradients_kernel<D>(p, tile, at.threshold(), at.saved(), at.to); });
    emulation::launch(p.batch * p.heads * blocks_of(p.keys, tile),
                      [&] { cuda::key_gradients_kernel<D>(p, tile, at.threshold(), at.saved(), at.to); });
  };
}

/// Both passes by the kernels of tensor_forward.cuh and tensor_backward.cuh.
template <typename D, int dim, int row_tiles, bool plain>
void in_tensor_tiles(const Passes<D>& at) {
  const auto& p = at.p;
  using Forward = cuda::TensorForward<dim, row_tiles, 64>;
  const Index heads = p.batch * p.heads, stride = with_whole_blocks(p.queries);
  emulation::launch(heads * blocks_of(p.queries, Forward::queries), [&] {
    cuda::tensor_forward_kernel<D, dim, row_tiles, 64, plain>(p, at.threshold(), at.out, at.largest, at.normaliser);
  });
  // Statistics lie on whole pairs.
  std::vector<float2> memory(static_cast<std::size_t>(backward_scratch(p.batch, p.heads, p.queries) / 2));
  float* const first = &memory.data()->x;
  const cuda::RowStatistics rows{first, first + heads * stride, stride};
  emulation::launch(heads * stride / cuda::warps, [&] { cuda::row_statistics_kernel<D>(p, at.saved(), rows); });
  emulation::launch(heads * blocks_of(p.queries, cuda::TensorQueryGradients<dim, row_tiles, 32>::queries), [&] {
    cuda::tensor_query_gradients_kernel<D, dim, row_tiles, 32, plain>(p, at.threshold(), at.dout, rows, at.to.q);
  });
  emulation::launch(heads * blocks_of(p.keys, cuda::TensorKeyGradients<dim, row_tiles, 32>::keys), [&] {
    cuda::tensor_key_gradients_kernel<D, dim, row_tiles, 32, plain>(p, at.threshold(), at.dout, rows, at.to.k, at.to.v);
  });
}

template <typename D, typename Run>
void expect_emulated_agreement(const TestProblem<cuda::Accumulator<D>>& t, double bound, const Run& run) {
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
  const CudaGradients<D> to{view(dq, t.q.shape()), view(dk, t.k.shape()), view(dv, t.v.shape()),
                            dbias.empty() ? nullptr : dbias.data()};
  run(Passes<D>{p, view(out, t.dout.shape()), largest.data(), normaliser.data(), view(dout, t.dout.shape()).read_only(),
                to});

  const auto exact_q = converted<double>(t.q), exact_k = converted<double>(t.k), exact_v = converted<double>(t.v);
  const auto options = in_double(t.options);
  const auto exact = attend_reference(exact_q, exact_k, exact_v, options);
  const auto gradients =
      attend_backward_reference(exact_q, exact_k, exact_v, options, exact, converted<double>(t.dout));
  EXPECT_LE(relative_error(in_double(out, t.dout.shape()), exact.out), bound);
  EXPECT_LE(relative_error(in_double(dq, t.q.shape()), gradients.q), bound) << "dq";
  EXPECT_LE(relative_error(in_double(dk, t.k.shape()), gradients.k), bound) << "dk";
  EXPECT_LE(relative_error(in_double(dv, t.v.shape()), gradients.v), bound) << "dv";
  EXPECT_LE(relative_error(in_double(dbias, t.options.bias.dense.shape()), gradients.bias), bound) << "dbias";
}

// One problem plain, one with every option; lengths that fit no tile.
template <typename D>
void expect_emulated_agreement(int tile, double bound) {
  using T = cuda::Accumulator<D>;
  SCOPED_TRACE(tile);
  expect_emulated_agreement<D>(random_problem<T>({1, 2, 20, 37, 20, 5}, 1), bound, in_tiles_of<D>(tile));
  auto p = random_problem<T>({2, 1, 37, 37, 5, 20}, 2);
  turn_everything_on(p, 3);
  expect_emulated_agreement<D>(p, bound, in_tiles_of<D>(tile));
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

TEST(AttendCudaEmulation, agrees_with_the_reference_with_sums_in_registers) {
  const auto p = random_problem<float>({1, 1, 70, 75, 40, 64}, 4);
  expect_emulated_agreement<__half>(p, half_error, in_tensor_tiles<__half, 64, 1, true>);
  expect_emulated_agreement<__nv_bfloat16>(p, bfloat16_error, in_tensor_tiles<__nv_bfloat16, 128, 1, true>);
  expect_emulated_agreement<__nv_bfloat16>(p, bfloat16_error, in_tensor_tiles<__nv_bfloat16, 128, 2, false>);
}

TEST(AttendCudaEmulation, agrees_with_the_reference_with_sums_in_registers_under_a_causal_mask) {
  auto p = random_problem<float>({1, 1, 140, 135, 64, 24}, 5);
  p.options.mask.causal = true;
  expect_emulated_agreement<__half>(p, half_error, in_tensor_tiles<__half, 64, 2, true>);
}

TEST(AttendCudaEmulation, agrees_with_the_reference_with_sums_in_registers_and_every_option) {
  auto p = random_problem<float>({2, 1, 70, 75, 32, 48}, 6);
  turn_everything_on(p, 7);
  p.options.bias.dense = {};  // its gradient is another kernel's
  expect_emulated_agreement<__half>(p, half_error, in_tensor_tiles<__half, 64, 2, false>);
}

TEST(AttendCudaEmulation, agrees_with_the_reference_with_sums_in_registers_and_alibi_or_dropout) {
  auto p = random_problem<float>({1, 1, 70, 75, 40, 64}, 8);
  p.options.bias.slopes = {0.0625F};
  expect_emulated_agreement<__nv_bfloat16>(p, bfloat16_error, in_tensor_tiles<__nv_bfloat16, 64, 1, false>);
  p.options.bias.slopes = {};
  p.options.mask.causal = true;
  p.options.dropout = {0.3, 9};
  expect_emulated_agreement<__half>(p, half_error, in_tensor_tiles<__half, 64, 2, false>);
}

// The emulation's device memory is the processor's.
TEST(AttendCudaEmulation, adds_a_seed_in_memory_to_that_of_the_problem) {
  auto p = random_problem<float>({1, 1, 20, 37, 24, 8}, 10);
  p.options.dropout = {0.3, 9};
  const auto with_seeds = [](const auto& run, std::uint64_t own, std::uint64_t added) {
    return [=](auto passes) {
      passes.p.dropout.seed = own, passes.p.added_seed = &added;
      run(passes);
    };
  };
  expect_emulated_agreement<float>(p, stated_error<float>, with_seeds(in_tiles_of<float>(16), 4, 5));
  const auto tiles = in_tensor_tiles<__half, 64, 1, false>;
  expect_emulated_agreement<__half>(p, half_error, with_seeds(tiles, 12, std::uint64_t{0} - 3));
}

TEST(DropEntries, has_one_pattern_for_all_types_and_lengths) {
  constexpr double rate = 0.25;
  constexpr float scale = 4.0F / 3;
  for (const Index entries : {1, 4, 1027}) {
    std::vector<float> in(static_cast<std::size_t>(entries), 3), out(in.size(), -1);
    const std::uint64_t added = 5;
    const cuda::EntryDropout pattern{dropout_threshold(rate), 4, &added};
    const Index blocks = cuda::blocks_of_entries(entries);
    emulation::launch(blocks, [&] { cuda::drop_entries_kernel(in.data(), out.data(), entries, pattern, scale); });
    Index dropped = 0;
    for (Index i = 0; i < entries; ++i) {
      const bool kept = survives_entry_dropout(9, dropout_threshold(rate), i);
      EXPECT_EQ(out[static_cast<std::size_t>(i)], kept ? 3 * scale : 0.0F) << i;
      dropped += kept ? 0 : 1;
    }
    if (entries > 1000) {
      EXPECT_NEAR(static_cast<double>(dropped), rate * 1027, 5 * std::sqrt(rate * (1 - rate) * 1027));
    }
    std::vector<__nv_bfloat16> half_in(in.size(), __nv_bfloat16(3.0F)), half_out(in.size(), __nv_bfloat16(-1.0F));
    emulation::launch(blocks,
                      [&] { cuda::drop_entries_kernel(half_in.data(), half_out.data(), entries, pattern, scale); });
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(static_cast<float>(half_out[i]), out[i]) << i;
  }
}

TEST(TensorDropout, has_the_words_of_every_entry) {
  constexpr Index b = 3, h = 2;
  constexpr std::uint64_t seed = 0x123456789abcdefU;
  constexpr int query = 48, key = 24;
  std::array<std::array<std::uint32_t, 4>, 128> rows{}, columns{};
  emulation::launch(1, [&] {
    std::uint32_t words[4];
    cuda::dropout_words_of_rows(words, seed, b, h, query, key);
    std::copy(std::begin(words), std::end(words), rows[threadIdx.x].begin());
    cuda::dropout_words_of_columns(words, seed, b, h, query, key);
    std::copy(std::begin(words), std::end(words), columns[threadIdx.x].begin());
  });
  const auto word = [](int i, int j) { return dropout_words(seed, b, h, i, j / 4).v[j % 4]; };
  for (int thread = 0; thread < 128; ++thread)
    for (int entry = 0; entry < 4; ++entry) {
      const int row = thread % 32 / 4 + 8 * (entry / 2), column = 2 * (thread % 4) + entry % 2;
      const auto t = static_cast<std::size_t>(thread), e = static_cast<std::size_t>(entry);
      EXPECT_EQ(rows[t][e], word(query + row, key + column)) << thread << " " << entry;
      EXPECT_EQ(columns[t][e], word(query + column, key + row)) << thread << " " << entry;
    }
}

TEST(TensorTiles, copy_rows_by_chunks_of_16_bytes_alone) {
  alignas(16) const std::array<__half, 16> memory{};
  const HeadsView<const __half> aligned{memory.data(), 64, 32, 8};
  EXPECT_TRUE(cuda::can_copy_by_chunks(aligned, 8));
  EXPECT_FALSE(cuda::can_copy_by_chunks(aligned, 12)) << "features";
  for (HeadsView<const __half> other : {HeadsView<const __half>{memory.data() + 1, 64, 32, 8},
                                        {memory.data(), 65, 32, 8},
                                        {memory.data(), 64, 36, 8},
                                        {memory.data(), 64, 32, 9}})
    EXPECT_FALSE(cuda::can_copy_by_chunks(other, 8));
}

TEST(TensorTiles, are_plain_without_options_and_with_a_scale_above_0) {
  CudaAttendProblem<__half> p;
  p.mask.causal = true;
  EXPECT_TRUE(cuda::is_plain(p));
  p.scale = -1;
  EXPECT_FALSE(cuda::is_plain(p)) << "the largest product is not that of the largest logit";
  p.scale = 1;
  p.dropout.rate = 0.5;
  EXPECT_FALSE(cuda::is_plain(p));
}

}  // namespace
}  // namespace attest::attention
