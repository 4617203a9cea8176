// Which problems the kernels of tensor_forward.cuh and tensor_backward.cuh take, and their launches.
#pragma once

#include <optional>

#include "kernels/attention/cuda/device_memory.cuh"
#include "kernels/attention/cuda/tensor_backward.cuh"
#include "kernels/attention/cuda/tensor_forward.cuh"

namespace attest::attention::cuda {

/// Of the kernels for up to `dim` features: how many times 16 rows a warp takes and how many tokens it passes at once,
/// the fastest of those tried on an H100.
template <int dim>
struct TensorTiles;
template <>
struct TensorTiles<64> {
  static constexpr int forward_rows = 2, forward_keys = 64, dq_rows = 2, dq_keys = 64, dk_rows = 2, dk_queries = 32;
};
template <>
struct TensorTiles<128> {
  static constexpr int forward_rows = 2, forward_keys = 64, dq_rows = 2, dq_keys = 32, dk_rows = 1, dk_queries = 64;
};

/// Whether the views are aligned and narrow enough for tiles of 64 or 128 features; `others` have value_dim features.
template <typename D, typename... Views>
bool fits_tensor_tiles(const CudaAttendProblem<D>& p, const Views&... others) {
  return p.dim <= 128 && p.value_dim <= 128 && can_copy_by_chunks(p.q, p.dim) && can_copy_by_chunks(p.k, p.dim) &&
         can_copy_by_chunks(p.v, p.value_dim) && (can_copy_by_chunks(others, p.value_dim) && ...);
}

/// run.operator()<dim, plain>() for the problem's features and options.
template <typename D, typename Run>
void with_tensor_tiles(const CudaAttendProblem<D>& p, const Run& run) {
  const bool narrow = p.dim <= 64 && p.value_dim <= 64;
  if (narrow && is_plain(p)) return run.template operator()<64, true>();
  if (narrow) return run.template operator()<64, false>();
  if (is_plain(p)) return run.template operator()<128, true>();
  run.template operator()<128, false>();
}

template <typename D>
void tensor_forward(const CudaAttendProblem<D>& p, const HeadsView<D>& out, float* largest, float* normaliser) {
  with_tensor_tiles(p, [&]<int dim, bool plain>() {
    using Tiles = TensorTiles<dim>;
    constexpr int rows = Tiles::forward_rows, keys = Tiles::forward_keys;
    using Layout = TensorForward<dim, rows, keys>;
    launch(tensor_forward_kernel<D, dim, rows, keys, plain>, p.batch * p.heads * blocks_of(p.queries, Layout::queries),
           Layout::bytes, p.stream, "launching the forward kernel", p, dropout_threshold(p.dropout.rate), out, largest,
           normaliser);
  });
}

template <typename D>
void tensor_backward(const CudaAttendProblem<D>& p, const Saved<D>& saved, const CudaGradients<D>& to) {
  const Index stride = with_whole_blocks(p.queries), heads = p.batch * p.heads, rows = heads * stride;
  std::optional<StreamMemory> own;
  if (to.scratch == nullptr)
    own.emplace(static_cast<std::size_t>(2 * rows) * sizeof(float), static_cast<cudaStream_t>(p.stream));
  float* const first = own ? static_cast<float*>(own->data()) : to.scratch;
  const RowStatistics statistics{first, first + rows, stride};
  launch(row_statistics_kernel<D>, rows / warps, 0, p.stream, "launching the kernel of the rows' statistics", p, saved,
         statistics);
  const std::uint32_t threshold = dropout_threshold(p.dropout.rate);
  with_tensor_tiles(p, [&]<int dim, bool plain>() {
    using Tiles = TensorTiles<dim>;
    using Queries = TensorQueryGradients<dim, Tiles::dq_rows, Tiles::dq_keys>;
    using Keys = TensorKeyGradients<dim, Tiles::dk_rows, Tiles::dk_queries>;
    launch(tensor_query_gradients_kernel<D, dim, Tiles::dq_rows, Tiles::dq_keys, plain>,
           heads * blocks_of(p.queries, Queries::queries), Queries::bytes, p.stream,
           "launching the kernel of the queries' gradients", p, threshold, saved.dout, statistics, to.q);
    launch(tensor_key_gradients_kernel<D, dim, Tiles::dk_rows, Tiles::dk_queries, plain>,
           heads * blocks_of(p.keys, Keys::keys), Keys::bytes, p.stream, "launching the kernel of the keys' gradients",
           p, threshold, saved.dout, statistics, to.k, to.v);
  });
}

}  // namespace attest::attention::cuda
