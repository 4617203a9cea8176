// The forward pass: one block of threads takes one block of queries through all their keys.
#pragma once

#include "kernels/attention/attend/dropout.hpp"
#include "kernels/attention/cuda/tiles.cuh"

namespace attest::attention::cuda {

/// Scaled product with its bias; minus infinity where masked.
template <typename D>
__device__ Accumulator<D> logit(const CudaAttendProblem<D>& p, Index b, Index h, Index i, Index j,
                                Accumulator<D> product) {
  using T = Accumulator<D>;
  if (j >= p.keys || i >= p.queries || !sees(p.mask, b, i, j, p.keys)) return -static_cast<T>(INFINITY);
  T x = p.scale * product;
  if (p.slopes != nullptr) x -= p.slopes[h] * static_cast<T>(i < j ? j - i : i - j);
  if (p.dense_bias != nullptr) x += p.dense_bias[(h * p.queries + i) * p.keys + j];
  return x;
}

/// The seed of dropout's pattern.
template <typename D>
__device__ inline std::uint64_t dropout_seed(const CudaAttendProblem<D>& p) {
  return p.added_seed == nullptr ? p.dropout.seed : p.dropout.seed + *p.added_seed;
}

/// What dropout multiplies weight (b, h, i, j) with.
template <typename D>
__device__ Accumulator<D> dropout_factor(const CudaAttendProblem<D>& p, std::uint32_t threshold, Index b, Index h,
                                         Index i, Index j) {
  using T = Accumulator<D>;
  if (threshold == 0) return T(1);
  return survives_dropout(dropout_seed(p), threshold, b, h, i, j) ? T(1) / (T(1) - static_cast<T>(p.dropout.rate))
                                                                  : T(0);
}

/// Where the forward pass's tiles lie in shared memory. The weights take the logits' place where both have one type.
template <typename D>
struct ForwardLayout {
  using T = Accumulator<D>;
  int q_row, v_row, logit_row, weight_row, out_row;
  int q, k, v, logits, weights, out, largest, normaliser, bytes;

  ATTEST_HOST_DEVICE ForwardLayout(int tile, Index dim, Index value_dim)
      : q_row(row_length<D, D>(padded(dim))),
        v_row(row_length<D, D>(padded(value_dim))),
        logit_row(row_length<D, T>(tile)),
        weight_row(row_length<D, D>(tile)),
        out_row(row_length<D, T>(padded(value_dim))) {
    SharedLayout shared;
    q = shared.take<D>(tile * q_row);
    k = shared.take<D>(tile * q_row);
    v = shared.take<D>(tile * v_row);
    logits = shared.take<T>(tile * logit_row);
    weights = std::is_same_v<D, T> ? logits : shared.take<D>(tile * weight_row);
    out = shared.take<T>(tile * out_row);
    largest = shared.take<T>(tile);
    normaliser = shared.take<T>(tile);
    bytes = shared.bytes();
  }
};

/// Grid: one block for every (b, h, `tile` queries), `threads_a_block` threads.
template <typename D>
__global__ void __launch_bounds__(threads_a_block)
    forward_kernel(CudaAttendProblem<D> p, int tile, std::uint32_t threshold, HeadsView<D> out,
                   Accumulator<D>* out_largest, Accumulator<D>* out_normaliser) {
  using T = Accumulator<D>;
  ATTEST_SHARED_MEMORY(memory);
  const ForwardLayout<D> at(tile, p.dim, p.value_dim);
  D* const q = reinterpret_cast<D*>(memory + at.q);
  D* const k = reinterpret_cast<D*>(memory + at.k);
  D* const v = reinterpret_cast<D*>(memory + at.v);
  T* const logits = reinterpret_cast<T*>(memory + at.logits);
  D* const weights = reinterpret_cast<D*>(memory + at.weights);
  T* const sums = reinterpret_cast<T*>(memory + at.out);
  T* const largest = reinterpret_cast<T*>(memory + at.largest);
  T* const normaliser = reinterpret_cast<T*>(memory + at.normaliser);

  const Index blocks = (p.queries + tile - 1) / tile, head = blockIdx.x / blocks;
  const Index b = head / p.heads, h = head % p.heads, first = blockIdx.x % blocks * tile;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, values = padded(p.value_dim);
  const T minus_infinity = -static_cast<T>(INFINITY);
  load_rows(q, at.q_row, p.q, b, h, first, p.queries, tile, p.dim);
  for (int entry = threadIdx.x; entry < tile * at.out_row; entry += threads_a_block) sums[entry] = T(0);
  for (int i = threadIdx.x; i < tile; i += threads_a_block) {
    largest[i] = minus_infinity;
    normaliser[i] = T(0);
  }
  const Index end = keys_end(p.mask, b, first, tile, p.keys);
  for (Index first_key = 0; first_key < end; first_key += tile) {
    __syncthreads();
    load_rows(k, at.q_row, p.k, b, h, first_key, p.keys, tile, p.dim);
    load_rows(v, at.v_row, p.v, b, h, first_key, p.keys, tile, p.value_dim);
    __syncthreads();
    product<false, true>(logits, at.logit_row, q, at.q_row, k, at.q_row, tile, tile, padded(p.dim), false);
    __syncthreads();
    // One step of the online softmax, a warp a row.
    for (int i = warp; i < tile; i += threads_a_block / 32) {
      T* const row = logits + i * at.logit_row;
      T now = largest[i];
      for (int j = lane; j < tile; j += 32) {
        row[j] = logit(p, b, h, first + i, first_key + j, row[j]);
        now = larger(now, row[j]);
      }
      now = warp_largest(now);
      // Minus infinity minus itself would be NaN.
      const T shift = now == minus_infinity ? T(0) : now;
      T sum = 0;
      for (int j = lane; j < tile; j += 32) {
        const T weight = exponential(row[j] - shift);
        sum += weight;
        weights[i * at.weight_row + j] = D(weight * dropout_factor(p, threshold, b, h, first + i, first_key + j));
      }
      sum = warp_sum(sum);
      const T correction = exponential(largest[i] - shift);
      for (int d = lane; d < values; d += 32) sums[i * at.out_row + d] *= correction;
      __syncwarp();
      if (lane == 0) {
        normaliser[i] = fused(normaliser[i], correction, sum);
        largest[i] = now;
      }
    }
    __syncthreads();
    product<false, false>(sums, at.out_row, weights, at.weight_row, v, at.v_row, tile, values, tile, true);
  }
  __syncthreads();
  for (int i = warp; i < tile && first + i < p.queries; i += threads_a_block / 32) {
    // Zero without keys; NaN stays NaN.
    const T inverse = normaliser[i] > T(0) ? T(1) / normaliser[i] : normaliser[i];
    for (int d = lane; d < p.value_dim; d += 32) out.row(b, h, first + i)[d] = D(sums[i * at.out_row + d] * inverse);
    if (lane == 0) {
      out_largest[head * p.queries + first + i] = largest[i];
      out_normaliser[head * p.queries + first + i] = normaliser[i];
    }
  }
}

}  // namespace attest::attention::cuda
