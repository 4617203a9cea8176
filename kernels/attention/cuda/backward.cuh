// The backward pass: a kernel over blocks of queries (dq, bias) and one over blocks of keys (dk, dv). Both recompute
// the weights of every tile from the saved maxima and normalisers.
#pragma once

#include "kernels/attention/cuda/forward.cuh"

namespace attest::attention::cuda {

/// What the forward pass saved and the gradient of its output, in the device's memory.
template <typename D>
struct Saved {
  HeadsView<const D> out;
  const Accumulator<D>* largest;
  const Accumulator<D>* normaliser;
  HeadsView<const D> dout;
};

/// Where the backward pass's tiles lie in shared memory; `sums` is dq or dk, `value_sums` dv.
template <typename D>
struct BackwardLayout {
  using T = Accumulator<D>;
  int q_row, v_row, logit_row, weight_row, sums_row, value_sums_row;
  int q, k, v, dout, logits, dweights, weights, dlogits, sums, value_sums, largest, inverse, mean, bytes;

  ATTEST_HOST_DEVICE BackwardLayout(int tile, Index dim, Index value_dim)
      : q_row(row_length<D, D>(padded(dim))),
        v_row(row_length<D, D>(padded(value_dim))),
        logit_row(row_length<D, T>(tile)),
        weight_row(row_length<D, D>(tile)),
        sums_row(row_length<D, T>(padded(dim))),
        value_sums_row(row_length<D, T>(padded(value_dim))) {
    SharedLayout shared;
    q = shared.take<D>(tile * q_row);
    k = shared.take<D>(tile * q_row);
    v = shared.take<D>(tile * v_row);
    dout = shared.take<D>(tile * v_row);
    logits = shared.take<T>(tile * logit_row);
    dweights = shared.take<T>(tile * logit_row);
    weights = std::is_same_v<D, T> ? logits : shared.take<D>(tile * weight_row);
    dlogits = std::is_same_v<D, T> ? dweights : shared.take<D>(tile * weight_row);
    sums = shared.take<T>(tile * sums_row);
    value_sums = shared.take<T>(tile * value_sums_row);
    largest = shared.take<T>(tile);
    inverse = shared.take<T>(tile);
    mean = shared.take<T>(tile);
    bytes = shared.bytes();
  }
};

/// The same as pointers, with the steps that both kernels share.
template <typename D>
struct BackwardTiles {
  using T = Accumulator<D>;
  BackwardLayout<D> at;
  int tile;
  D *q, *k, *v, *dout, *weights, *dlogits;
  T *logits, *dweights, *sums, *value_sums, *largest, *inverse, *mean;

  __device__ BackwardTiles(unsigned char* memory, int tile_size, Index dim, Index value_dim)
      : at(tile_size, dim, value_dim),
        tile(tile_size),
        q(reinterpret_cast<D*>(memory + at.q)),
        k(reinterpret_cast<D*>(memory + at.k)),
        v(reinterpret_cast<D*>(memory + at.v)),
        dout(reinterpret_cast<D*>(memory + at.dout)),
        weights(reinterpret_cast<D*>(memory + at.weights)),
        dlogits(reinterpret_cast<D*>(memory + at.dlogits)),
        logits(reinterpret_cast<T*>(memory + at.logits)),
        dweights(reinterpret_cast<T*>(memory + at.dweights)),
        sums(reinterpret_cast<T*>(memory + at.sums)),
        value_sums(reinterpret_cast<T*>(memory + at.value_sums)),
        largest(reinterpret_cast<T*>(memory + at.largest)),
        inverse(reinterpret_cast<T*>(memory + at.inverse)),
        mean(reinterpret_cast<T*>(memory + at.mean)) {}

  __device__ void load_queries(const CudaAttendProblem<D>& p, const Saved<D>& saved, Index b, Index h, Index first) {
    load_rows(q, at.q_row, p.q, b, h, first, p.queries, tile, p.dim);
    load_rows(dout, at.v_row, saved.dout, b, h, first, p.queries, tile, p.value_dim);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = warp; i < tile; i += threads_a_block / 32) {
      const Index row = (b * p.heads + h) * p.queries + first + i;
      const bool has_keys = first + i < p.queries && saved.normaliser[row] != T(0);
      // sum_j A_ij dA_ij = out_i . dout_i
      T product = 0;
      for (Index d = lane; d < p.value_dim && has_keys; d += 32)
        product = fused(static_cast<T>(saved.out.row(b, h, first + i)[d]),
                        static_cast<T>(saved.dout.row(b, h, first + i)[d]), product);
      product = warp_sum(product);
      if (lane == 0) {
        mean[i] = product;
        largest[i] = has_keys ? saved.largest[row] : T(0);
        inverse[i] = has_keys ? T(1) / saved.normaliser[row] : T(0);
      }
    }
  }

  __device__ void load_keys(const CudaAttendProblem<D>& p, Index b, Index h, Index first) {
    load_rows(k, at.q_row, p.k, b, h, first, p.keys, tile, p.dim);
    load_rows(v, at.v_row, p.v, b, h, first, p.keys, tile, p.value_dim);
  }

  /// weights = dropped-out A, dlogits = A (dA - mean), from the loaded queries and keys; dlogits are also added to the
  /// gradient of the bias if there is one. Begins and ends with all threads in step.
  __device__ void differentiate(const CudaAttendProblem<D>& p, std::uint32_t threshold, Index b, Index h,
                                Index first_query, Index first_key, T* dense_bias) {
    __syncthreads();
    product<false, true>(logits, at.logit_row, q, at.q_row, k, at.q_row, tile, tile, padded(p.dim), false);
    product<false, true>(dweights, at.logit_row, dout, at.v_row, v, at.v_row, tile, tile, padded(p.value_dim), false);
    __syncthreads();
    for (int entry = threadIdx.x; entry < tile * tile; entry += threads_a_block) {
      const int r = entry / tile, c = entry % tile;
      const Index i = first_query + r, j = first_key + c;
      const T weight = exponential(logit(p, b, h, i, j, logits[r * at.logit_row + c]) - largest[r]) * inverse[r];
      const T factor = dropout_factor(p, threshold, b, h, i, j);
      const T dlogit = weight * (factor * dweights[r * at.logit_row + c] - mean[r]);
      weights[r * at.weight_row + c] = D(weight * factor);
      dlogits[r * at.weight_row + c] = D(dlogit);
      if (dense_bias != nullptr && i < p.queries && j < p.keys) dense_bias[(h * p.queries + i) * p.keys + j] += dlogit;
    }
    __syncthreads();
  }

  /// Writes rows of sums, times `factor`, to tokens first, first + 1, ... of one head.
  __device__ void store(const T* from, int row, const HeadsView<D>& to, Index b, Index h, Index first, Index tokens,
                        Index features, T factor) {
    const int width = static_cast<int>(features);
    for (int entry = threadIdx.x; entry < tile * width; entry += threads_a_block) {
      const int n = entry / width, d = entry % width;
      if (first + n < tokens) to.row(b, h, first + n)[d] = D(factor * from[n * row + d]);
    }
  }
};

/// Grid: one block for every (b, h, `tile` queries), or for every (h, `tile` queries) where the gradient of the bias
/// sums over sequences. Precondition: that gradient is zero.
template <typename D>
__global__ void __launch_bounds__(threads_a_block)
    query_gradients_kernel(CudaAttendProblem<D> p, int tile, std::uint32_t threshold, Saved<D> saved,
                           CudaGradients<D> gradients) {
  ATTEST_SHARED_MEMORY(memory);
  BackwardTiles<D> tiles(memory, tile, p.dim, p.value_dim);
  const Index blocks = (p.queries + tile - 1) / tile, head = blockIdx.x / blocks;
  const Index first = blockIdx.x % blocks * tile, h = head % p.heads;
  const bool all_sequences = gradients.dense_bias != nullptr;
  for (Index b = head / p.heads; b < (all_sequences ? p.batch : head / p.heads + 1); ++b) {
    __syncthreads();
    tiles.load_queries(p, saved, b, h, first);
    for (int entry = threadIdx.x; entry < tile * tiles.at.sums_row; entry += threads_a_block)
      tiles.sums[entry] = Accumulator<D>(0);
    const Index end = keys_end(p.mask, b, first, tile, p.keys);
    for (Index first_key = 0; first_key < end; first_key += tile) {
      __syncthreads();
      tiles.load_keys(p, b, h, first_key);
      tiles.differentiate(p, threshold, b, h, first, first_key, gradients.dense_bias);
      product<false, false>(tiles.sums, tiles.at.sums_row, tiles.dlogits, tiles.at.weight_row, tiles.k, tiles.at.q_row,
                            tile, padded(p.dim), tile, true);
    }
    __syncthreads();
    tiles.store(tiles.sums, tiles.at.sums_row, gradients.q, b, h, first, p.queries, p.dim, p.scale);
  }
}

/// Grid: one block for every (b, h, `tile` keys).
template <typename D>
__global__ void __launch_bounds__(threads_a_block)
    key_gradients_kernel(CudaAttendProblem<D> p, int tile, std::uint32_t threshold, Saved<D> saved,
                         CudaGradients<D> gradients) {
  using T = Accumulator<D>;
  ATTEST_SHARED_MEMORY(memory);
  BackwardTiles<D> tiles(memory, tile, p.dim, p.value_dim);
  const Index blocks = (p.keys + tile - 1) / tile, head = blockIdx.x / blocks;
  const Index b = head / p.heads, h = head % p.heads, first_key = blockIdx.x % blocks * tile;
  tiles.load_keys(p, b, h, first_key);
  for (int entry = threadIdx.x; entry < tile * tiles.at.sums_row; entry += threads_a_block) tiles.sums[entry] = T(0);
  for (int entry = threadIdx.x; entry < tile * tiles.at.value_sums_row; entry += threads_a_block)
    tiles.value_sums[entry] = T(0);
  // Under a causal mask the queries before the first key see none of these keys.
  for (Index first = p.mask.causal ? first_key : 0; first < p.queries; first += tile) {
    __syncthreads();
    tiles.load_queries(p, saved, b, h, first);
    tiles.differentiate(p, threshold, b, h, first, first_key, nullptr);
    product<true, false>(tiles.value_sums, tiles.at.value_sums_row, tiles.weights, tiles.at.weight_row, tiles.dout,
                         tiles.at.v_row, tile, padded(p.value_dim), tile, true);
    product<true, false>(tiles.sums, tiles.at.sums_row, tiles.dlogits, tiles.at.weight_row, tiles.q, tiles.at.q_row,
                         tile, padded(p.dim), tile, true);
  }
  __syncthreads();
  tiles.store(tiles.sums, tiles.at.sums_row, gradients.k, b, h, first_key, p.keys, p.dim, p.scale);
  tiles.store(tiles.value_sums, tiles.at.value_sums_row, gradients.v, b, h, first_key, p.keys, p.value_dim, T(1));
}

}  // namespace attest::attention::cuda
