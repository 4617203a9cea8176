// The forward pass with logits, weights and sums in registers: a warp takes 16 queries, or twice 16, through all their
// keys (Dao 2023, "FlashAttention-2").
#pragma once

#include "kernels/attention/cuda/tensor_dropout.cuh"

namespace attest::attention::cuda {

template <int dim, int row_tiles, int keys>
struct TensorForward {
  static constexpr int queries = 16 * warps * row_tiles, bytes = 2 * dim * (queries + 2 * keys);
  /// Fragments of the queries that fit registers stay there.
  static constexpr bool keeps_queries = row_tiles * dim <= 128;
};

/// The online softmax of one warp's 16 rows: a step makes logits into weights.
struct OnlineSoftmax {
  float top[2], sum[2];  ///< of rows g and g + 8; the sum is over this lane's columns

  __device__ OnlineSoftmax() : top{-INFINITY, -INFINITY}, sum{0, 0} {}

  __device__ static float shift_of(float top, float factor) { return top == -INFINITY ? 0.0F : top * factor; }

  /// s becomes 2^(factor s - shift), and `earlier` sums are multiplied with what the shift has changed.
  template <int count, int features>
  __device__ void step(float (&s)[count][4], float factor, float (&earlier)[features][4]) {
    float correction[2];
    ATTEST_UNROLL
    for (int half = 0; half < 2; ++half) {
      float now = top[half];
      ATTEST_UNROLL
      for (int n = 0; n < count; ++n) now = fmaxf(now, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
      now = fmaxf(now, __shfl_xor_sync(0xFFFFFFFFU, now, 1));
      now = fmaxf(now, __shfl_xor_sync(0xFFFFFFFFU, now, 2));
      const float shift = shift_of(now, factor);
      correction[half] = top[half] == -INFINITY ? 0.0F : power_of_two(shift_of(top[half], factor) - shift);
      top[half] = now;
      float added = 0;
      ATTEST_UNROLL
      for (int n = 0; n < count; ++n) ATTEST_UNROLL
      for (int k = 0; k < 2; ++k) {
        float& entry = s[n][2 * half + k];
        entry = power_of_two(fused(entry, factor, -shift));
        added += entry;
      }
      sum[half] = fused(sum[half], correction[half], added);
    }
    // The correction is 1 in all rows of the warp once the largest logits are found.
    if (__any_sync(0xFFFFFFFFU, correction[0] != 1 || correction[1] != 1) == 0) return;
    ATTEST_UNROLL
    for (int n = 0; n < features; ++n) ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry) earlier[n][entry] *= correction[entry / 2];
  }
};

/// Dropout of a warp's weights, of 16 queries from `query` and keys from `key`.
template <int count, typename D>
__device__ inline void drop_out(float (&s)[count][4], const CudaAttendProblem<D>& p, std::uint32_t threshold, Index b,
                                Index h, int query, int key) {
  if (threshold == 0) return;
  const DropoutFactors<false> dropout(p, threshold, b, h, query, key);
  ATTEST_UNROLL
  for (int n = 0; n < count; ++n) {
    float factors[4];
    dropout.of(n, factors);
    ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry) s[n][entry] *= factors[entry];
  }
}

/// Writes the largest logits and normalisers of rows first, ..., first + 15 of a head whose rows begin at `head_rows`;
/// inverse: what the sums of rows g and g + 8 are multiplied with.
template <bool plain, typename D>
__device__ inline void finish_softmax(const OnlineSoftmax& softmax, const CudaAttendProblem<D>& p, Index head_rows,
                                      Index first, float (&inverse)[2], float* out_largest, float* out_normaliser) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  ATTEST_UNROLL
  for (int half = 0; half < 2; ++half) {
    float total = softmax.sum[half];
    total += __shfl_xor_sync(0xFFFFFFFFU, total, 1);
    total += __shfl_xor_sync(0xFFFFFFFFU, total, 2);
    // Zero without keys; NaN stays NaN.
    inverse[half] = total > 0 ? 1 / total : total;
    const Index i = first + lane / 4 + 8 * half;
    if (lane % 4 != 0 || i >= p.queries) continue;
    const float top = softmax.top[half], largest = plain && top != -INFINITY ? top * p.scale : top;
    // The sum is of powers less the rounded shift, the result of exponentials less `largest`.
    const float shift = OnlineSoftmax::shift_of(top, exponent_factor<plain>(p.scale));
    const float rest = top == -INFINITY ? 0.0F : fused(largest, -log2_of_e, shift);
    out_largest[head_rows + i] = largest;
    out_normaliser[head_rows + i] = total * power_of_two(rest);
  }
}

/// Grid: one block for every (b, h, TensorForward::queries queries). Preconditions: dim >= both numbers of features,
/// all views can_copy_by_chunks, plain = is_plain.
template <typename D, int dim, int row_tiles, int keys, bool plain>
__global__ void __launch_bounds__(threads_a_block)
    tensor_forward_kernel(CudaAttendProblem<D> p, std::uint32_t threshold, HeadsView<D> out, float* out_largest,
                          float* out_normaliser) {
  using Layout = TensorForward<dim, row_tiles, keys>;
  ATTEST_SHARED_MEMORY(memory);
  D* const q_tile = reinterpret_cast<D*>(memory);
  D* const k_tile = q_tile + Layout::queries * dim;
  D* const v_tile = k_tile + keys * dim;
  const BlockOf block(p.heads, p.batch * p.heads, p.queries, Layout::queries, p.mask.causal, true);
  const Index b = block.b, h = block.h;
  const int own = static_cast<int>(threadIdx.x) / 32 * 16 * row_tiles;
  const int first = static_cast<int>(block.first), own_first = first + own;
  const float factor = exponent_factor<plain>(p.scale);

  const RowCopies<dim, D> k_rows(p.k, b, h, p.keys, p.dim), v_rows(p.v, b, h, p.keys, p.value_dim);
  RowCopies<dim, D>(p.q, b, h, p.queries, p.dim).template start<Layout::queries>(q_tile, first);
  k_rows.template start<keys>(k_tile, 0);
  end_group_of_copies();
  wait_for_copies<0>();
  __syncthreads();
  std::uint32_t q[dim / 16][row_tiles][4];
  if constexpr (Layout::keeps_queries) {
    ATTEST_UNROLL
    for (int step = 0; step < dim / 16; ++step) ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) load_left<dim>(q[step][m], q_tile, own + 16 * m, step);
  }

  float sums[row_tiles][dim / 8][4] = {};
  OnlineSoftmax softmax[row_tiles];
  const int end = static_cast<int>(keys_end(p.mask, b, first, Layout::queries, p.keys));
  const int key_count = static_cast<int>(p.keys);
  for (int first_key = 0; first_key < end; first_key += keys) {
    // The keys are there, and every warp has left the values before.
    wait_for_copies<0>();
    __syncthreads();
    v_rows.template start<keys>(v_tile, first_key);
    end_group_of_copies();
    float s[row_tiles][keys / 8][4] = {};
    if constexpr (Layout::keeps_queries) {
      ATTEST_UNROLL
      for (int step = 0; step < dim / 16; ++step) add_step_of_rows<dim, keys, row_tiles, D>(s, q[step], k_tile, step);
    } else {
      add_products_of_rows<dim, keys, row_tiles>(s, q_tile, own, k_tile);
    }
    // The values are there, and every warp has left the keys.
    wait_for_copies<0>();
    __syncthreads();
    if (first_key + keys < end) k_rows.template start<keys>(k_tile, first_key + keys);
    end_group_of_copies();
    const bool all_visible = first_key + keys <= key_count && !(p.mask.causal && first_key + keys - 1 > own_first);
    std::uint32_t weights[row_tiles][keys / 16][4];
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      const EntryTokens<false> at(own_first + 16 * m, first_key);
      finish_logits<plain>(s[m], p, b, h, all_visible, at);
      softmax[m].step(s[m], factor, sums[m]);
      if constexpr (!plain) drop_out(s[m], p, threshold, b, h, own_first + 16 * m, first_key);
      pack_left<keys, D>(weights[m], s[m]);
    }
    add_products_of_columns<dim, keys, row_tiles>(sums, weights, v_tile);
  }
  wait_for_copies<0>();
  ATTEST_UNROLL
  for (int m = 0; m < row_tiles; ++m) {
    float inverse[2];
    finish_softmax<plain>(softmax[m], p, (b * p.heads + h) * p.queries, own_first + 16 * m, inverse, out_largest,
                          out_normaliser);
    store_rows<dim>(sums[m], inverse, out, b, h, own_first + 16 * m, p.queries, p.value_dim);
  }
}

}  // namespace attest::attention::cuda
