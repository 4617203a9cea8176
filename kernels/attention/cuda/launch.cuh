// Choice of tiles, launches, and the passage between host and device; included by one file per type.
#pragma once

#include <type_traits>

#include "kernels/attention/attend/attend_problem.hpp"
#include "kernels/attention/cuda/backward.cuh"
#include "kernels/attention/cuda/device_memory.cuh"
#include "kernels/attention/cuda/on_device.hpp"
#include "kernels/attention/cuda/tensor_launch.cuh"

namespace attest::attention {

namespace cuda {

template <typename S>
using DeviceOf = typename Device<S>::Type;

template <typename S>
HeadsView<const DeviceOf<S>> as_device(const HeadsView<const S>& view) {
  return {reinterpret_cast<const DeviceOf<S>*>(view.data), view.batch, view.head, view.token};
}
template <typename S>
HeadsView<DeviceOf<S>> as_device(const HeadsView<S>& view) {
  return {reinterpret_cast<DeviceOf<S>*>(view.data), view.batch, view.head, view.token};
}
template <typename S>
CudaAttendProblem<DeviceOf<S>> as_device(const CudaAttendProblem<S>& p) {
  return {p.batch,        p.heads, p.queries, p.keys,   p.dim,        p.value_dim, as_device(p.q), as_device(p.k),
          as_device(p.v), p.scale, p.mask,    p.slopes, p.dense_bias, p.dropout,   p.stream,       p.added_seed};
}

/// The largest tile whose layout fits a block's shared memory on the current device, and that memory.
struct Tile {
  int size, bytes;
};

template <typename Layout>
Tile largest_tile(Index dim, Index value_dim) {
  int device = 0, limit = 0;
  require(cudaGetDevice(&device), "asking for the device");
  require(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "asking for the shared memory");
  for (const int size : {64, 32, 16})
    if (const int bytes = Layout(size, dim, value_dim).bytes; bytes <= limit) return {size, bytes};
  throw CudaError("attention on CUDA: heads of " + std::to_string(dim) + " and " + std::to_string(value_dim) +
                  " features need " + std::to_string(Layout(16, dim, value_dim).bytes) +
                  " bytes of shared memory a block, but the device has " + std::to_string(limit));
}

inline Index blocks_of(Index tokens, const Tile& tile) { return blocks_of(tokens, tile.size); }

/// A host array as S on the device.
template <typename S, typename T>
DeviceArray<S> upload(const Tensor<T>& array) {
  std::vector<S> host(static_cast<std::size_t>(array.size()));
  for (std::size_t i = 0; i < host.size(); ++i) {
    const DeviceOf<S> value(array.values()[i]);
    host[i] = __builtin_bit_cast(S, value);
  }
  return DeviceArray<S>(host);
}

template <typename T, typename S>
Tensor<T> download(const DeviceArray<S>& array, const Shape& shape) {
  Tensor<T> result(shape);
  const std::vector<S> host = array.to_host();
  for (std::size_t i = 0; i < host.size(); ++i)
    result.values()[i] = static_cast<T>(__builtin_bit_cast(DeviceOf<S>, host[i]));
  return result;
}

/// The arguments of attend on the device, and the problem that points to them.
template <typename S, typename T>
struct Uploaded {
  DeviceArray<S> q, k, v;
  DeviceArray<Index> key_lengths;
  DeviceArray<std::uint8_t> visible;
  DeviceArray<T> slopes, dense_bias;
  CudaAttendProblem<S> problem;

  Uploaded(const Tensor<T>& host_q, const Tensor<T>& host_k, const Tensor<T>& host_v, const AttendOptions<T>& options)
      : q(upload<S>(host_q)),
        k(upload<S>(host_k)),
        v(upload<S>(host_v)),
        key_lengths(options.mask.key_lengths),
        visible(options.mask.visible),
        slopes(options.bias.slopes),
        dense_bias(upload<T>(options.bias.dense)) {
    problem.batch = host_q.extent(0);
    problem.heads = host_q.extent(1);
    problem.queries = host_q.extent(2);
    problem.keys = host_k.extent(2);
    problem.dim = host_q.extent(3);
    problem.value_dim = host_v.extent(3);
    problem.q = view_of(q, host_q.shape()).read_only();
    problem.k = view_of(k, host_k.shape()).read_only();
    problem.v = view_of(v, host_v.shape()).read_only();
    problem.scale = options.scale;
    problem.mask = {options.mask.causal, key_lengths.data(), visible.data()};
    problem.slopes = slopes.data();
    problem.dense_bias = dense_bias.data();
    problem.dropout = options.dropout;
  }

  static HeadsView<S> view_of(const DeviceArray<S>& array, const Shape& shape) {
    return {array.data(), shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3]};
  }
};

}  // namespace cuda

template <typename S>
void attend_cuda_view(const CudaAttendProblem<S>& p, HeadsView<S> out, typename CudaAccumulator<S>::Type* largest,
                      typename CudaAccumulator<S>::Type* normaliser) {
  using D = cuda::DeviceOf<S>;
  if constexpr (cuda::uses_tensor_cores<D>) {
    const auto problem = cuda::as_device(p);
    const auto to = cuda::as_device(out);
    if (cuda::fits_tensor_tiles(problem, to)) return cuda::tensor_forward(problem, to, largest, normaliser);
  }
  const cuda::Tile tile = cuda::largest_tile<cuda::ForwardLayout<D>>(p.dim, p.value_dim);
  cuda::launch(cuda::forward_kernel<D>, p.batch * p.heads * cuda::blocks_of(p.queries, tile), tile.bytes, p.stream,
               "launching the forward kernel", cuda::as_device(p), tile.size, dropout_threshold(p.dropout.rate),
               cuda::as_device(out), largest, normaliser);
}

template <typename S>
void attend_backward_cuda_view(const CudaAttendProblem<S>& p, HeadsView<const S> out,
                               const typename CudaAccumulator<S>::Type* largest,
                               const typename CudaAccumulator<S>::Type* normaliser, HeadsView<const S> dout,
                               const CudaGradients<S>& gradients) {
  using D = cuda::DeviceOf<S>;
  using T = typename CudaAccumulator<S>::Type;
  const cuda::Saved<D> saved{cuda::as_device(out), largest, normaliser, cuda::as_device(dout)};
  const CudaGradients<D> to{cuda::as_device(gradients.q), cuda::as_device(gradients.k), cuda::as_device(gradients.v),
                            gradients.dense_bias, gradients.scratch};
  if constexpr (cuda::uses_tensor_cores<D>) {
    const auto problem = cuda::as_device(p);
    const bool fits = cuda::fits_tensor_tiles(problem, saved.out, saved.dout, to.v) &&
                      cuda::can_copy_by_chunks(to.q, p.dim) && cuda::can_copy_by_chunks(to.k, p.dim);
    // The gradient of the bias sums over sequences: the other kernel goes through them in one block.
    if (fits && to.dense_bias == nullptr) return cuda::tensor_backward(problem, saved, to);
  }
  const cuda::Tile tile = cuda::largest_tile<cuda::BackwardLayout<D>>(p.dim, p.value_dim);
  if (gradients.dense_bias != nullptr)
    cuda::require(
        cudaMemsetAsync(gradients.dense_bias, 0, static_cast<std::size_t>(p.heads * p.queries * p.keys) * sizeof(T),
                        static_cast<cudaStream_t>(p.stream)),
        "clearing the gradient of the bias");
  const std::uint32_t threshold = dropout_threshold(p.dropout.rate);
  const Index sequences = gradients.dense_bias != nullptr ? 1 : p.batch;
  cuda::launch(cuda::query_gradients_kernel<D>, sequences * p.heads * cuda::blocks_of(p.queries, tile), tile.bytes,
               p.stream, "launching the kernel of the queries' gradients", cuda::as_device(p), tile.size, threshold,
               saved, to);
  cuda::launch(cuda::key_gradients_kernel<D>, p.batch * p.heads * cuda::blocks_of(p.keys, tile), tile.bytes, p.stream,
               "launching the kernel of the keys' gradients", cuda::as_device(p), tile.size, threshold, saved, to);
}

template <typename S, typename T>
Attended<T> attend_on_device(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                             const AttendOptions<T>& options) {
  const cuda::Uploaded<S, T> device(q, k, v, options);
  const Shape rows{q.extent(0), q.extent(1), q.extent(2)};
  const Shape out_shape{q.extent(0), q.extent(1), q.extent(2), v.extent(3)};
  const cuda::DeviceArray<S> out(static_cast<std::size_t>(entries(out_shape)));
  const cuda::DeviceArray<T> largest(static_cast<std::size_t>(entries(rows))),
      normaliser(static_cast<std::size_t>(entries(rows)));
  attend_cuda_view(device.problem, device.view_of(out, out_shape), largest.data(), normaliser.data());
  return {cuda::download<T>(out, out_shape), cuda::download<T>(largest, rows), cuda::download<T>(normaliser, rows)};
}

template <typename S, typename T>
AttendGradients<T> attend_backward_on_device(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                             const AttendOptions<T>& options, const Attended<T>& attended,
                                             const Tensor<T>& dout) {
  const cuda::Uploaded<S, T> device(q, k, v, options);
  const auto out = cuda::upload<S>(attended.out), device_dout = cuda::upload<S>(dout);
  const auto largest = cuda::upload<T>(attended.largest), normaliser = cuda::upload<T>(attended.normaliser);
  const cuda::DeviceArray<S> dq(static_cast<std::size_t>(q.size())), dk(static_cast<std::size_t>(k.size())),
      dv(static_cast<std::size_t>(v.size()));
  const cuda::DeviceArray<T> dbias(static_cast<std::size_t>(options.bias.dense.size()));
  const auto view = [&](const cuda::DeviceArray<S>& array, const Shape& shape) { return device.view_of(array, shape); };
  attend_backward_cuda_view(device.problem, view(out, attended.out.shape()).read_only(), largest.data(),
                            normaliser.data(), view(device_dout, dout.shape()).read_only(),
                            {view(dq, q.shape()), view(dk, k.shape()), view(dv, v.shape()), dbias.data()});
  return {cuda::download<T>(dq, q.shape()), cuda::download<T>(dk, k.shape()), cuda::download<T>(dv, v.shape()),
          cuda::download<T>(dbias, options.bias.dense.shape())};
}

/// Instantiates everything for one storage type.
#define ATTEST_INSTANTIATE_CUDA(S)                                                                               \
  using T = typename CudaAccumulator<S>::Type;                                                                   \
  template void attend_cuda_view(const CudaAttendProblem<S>&, HeadsView<S>, T*, T*);                             \
  template void attend_backward_cuda_view(const CudaAttendProblem<S>&, HeadsView<const S>, const T*, const T*,   \
                                          HeadsView<const S>, const CudaGradients<S>&);                          \
  template Attended<T> attend_on_device<S>(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,                 \
                                           const AttendOptions<T>&);                                             \
  template AttendGradients<T> attend_backward_on_device<S>(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                           const AttendOptions<T>&, const Attended<T>&,          \
                                                           const Tensor<T>&);

}  // namespace attest::attention
