// The backward pass with everything but the loaded rows in registers: one kernel over blocks of queries (dq), one over
// blocks of keys (dk, dv) in which keys are rows, so that the weights and the logits' gradients are left factors as
// they are made. Nothing is added atomically.
#pragma once

#include "kernels/attention/cuda/backward.cuh"
#include "kernels/attention/cuda/tensor_dropout.cuh"

namespace attest::attention::cuda {

/// Of each query, with room for `stride` queries of a head: A_ij = 2^(factor s_ij - shift_i), and
/// mean_i = sum_j A_ij dA_ij = out_i . dout_i.
struct RowStatistics {
  float *shift, *mean;
  Index stride;
};

/// Grid: B H stride / warps blocks, a warp for each query. Those without keys, and those that there are not, get an
/// infinite shift: their weights vanish.
template <typename D>
__global__ void __launch_bounds__(threads_a_block)
    row_statistics_kernel(CudaAttendProblem<D> p, Saved<D> saved, RowStatistics to) {
  const Index place = Index{blockIdx.x} * warps + threadIdx.x / 32, head = place / to.stride, i = place % to.stride;
  const Index b = head / p.heads, h = head % p.heads;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Index row = head * p.queries + i;
  const bool has_keys = i < p.queries && saved.normaliser[row] != 0;
  float product = 0;
  for (Index d = lane; d < p.value_dim && has_keys; d += 32)
    product =
        fused(static_cast<float>(saved.out.row(b, h, i)[d]), static_cast<float>(saved.dout.row(b, h, i)[d]), product);
  product = warp_sum(product);
  if (lane != 0) return;
  to.shift[place] = has_keys ? fused(saved.largest[row], log2_of_e, log2f(saved.normaliser[row])) : INFINITY;
  to.mean[place] = product;
}

/// Makes logits into weights, and gradients of the weights into those of the logits; shift(n, entry), mean(n, entry) of
/// an entry's query. A plain problem's dweights have the mean taken off.
template <bool plain, int count, bool rows_are_keys, typename Shift, typename Mean>
__device__ inline void differentiate_weights(float (&s)[count][4], float (&dweights)[count][4], float scale,
                                             const DropoutFactors<rows_are_keys>& dropout, const Shift& shift,
                                             const Mean& mean) {
  const float factor = exponent_factor<plain>(scale);
  ATTEST_UNROLL
  for (int n = 0; n < count; ++n) {
    float kept[4] = {};
    if constexpr (!plain) dropout.of(n, kept);
    ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry) {
      const float weight = power_of_two(fused(s[n][entry], factor, -shift(n, entry)));
      if constexpr (plain) {
        s[n][entry] = weight;
        dweights[n][entry] *= weight;
      } else {
        s[n][entry] = weight * kept[entry];
        dweights[n][entry] = weight * fused(kept[entry], dweights[n][entry], -mean(n, entry));
      }
    }
  }
}

template <int dim, int row_tiles, int keys>
struct TensorQueryGradients {
  static constexpr int queries = 16 * warps * row_tiles, bytes = 2 * dim * (2 * queries + 4 * keys);
};

/// Grid: one block for every (b, h, TensorQueryGradients::queries queries). Preconditions: as the forward pass; no
/// gradient of the bias.
template <typename D, int dim, int row_tiles, int keys, bool plain>
__global__ void __launch_bounds__(threads_a_block)
    tensor_query_gradients_kernel(CudaAttendProblem<D> p, std::uint32_t threshold, HeadsView<const D> dout,
                                  RowStatistics rows, HeadsView<D> dq) {
  using Layout = TensorQueryGradients<dim, row_tiles, keys>;
  ATTEST_SHARED_MEMORY(memory);
  D* const q_tile = reinterpret_cast<D*>(memory);
  D* const dout_tile = q_tile + Layout::queries * dim;
  D* const key_tiles = dout_tile + Layout::queries * dim;  // [2][k, v][keys][dim]
  const BlockOf block(p.heads, p.batch * p.heads, p.queries, Layout::queries, p.mask.causal, true);
  const Index b = block.b, h = block.h;
  const int lane = static_cast<int>(threadIdx.x) % 32, own = static_cast<int>(threadIdx.x) / 32 * 16 * row_tiles;
  const int first = static_cast<int>(block.first), own_first = first + own;
  const RowCopies<dim, D> k_rows(p.k, b, h, p.keys, p.dim), v_rows(p.v, b, h, p.keys, p.value_dim);
  const auto start_keys = [&](int first_key, int stage) {
    D* const tile = key_tiles + stage * 2 * keys * dim;
    k_rows.template start<keys>(tile, first_key);
    v_rows.template start<keys>(tile + keys * dim, first_key);
    end_group_of_copies();
  };
  RowCopies<dim, D>(p.q, b, h, p.queries, p.dim).template start<Layout::queries>(q_tile, first);
  RowCopies<dim, D>(dout, b, h, p.queries, p.value_dim).template start<Layout::queries>(dout_tile, first);
  const int end = static_cast<int>(keys_end(p.mask, b, first, Layout::queries, p.keys));
  const int key_count = static_cast<int>(p.keys);
  start_keys(0, 0);
  float shift[row_tiles][2], mean[row_tiles][2];
  ATTEST_UNROLL
  for (int m = 0; m < row_tiles; ++m) ATTEST_UNROLL
  for (int half = 0; half < 2; ++half) {
    const Index row = (b * p.heads + h) * rows.stride + own_first + 16 * m + lane / 4 + 8 * half;
    shift[m][half] = rows.shift[row], mean[m][half] = rows.mean[row];
  }
  float sums[row_tiles][dim / 8][4] = {};
  int stage = 0;
  for (int first_key = 0; first_key < end; first_key += keys, stage = 1 - stage) {
    // The next keys go where those before last were, which every warp has left.
    wait_for_copies<0>();
    __syncthreads();
    if (first_key + keys < end) start_keys(first_key + keys, 1 - stage);
    const D* const k_tile = key_tiles + stage * 2 * keys * dim;
    float s[row_tiles][keys / 8][4] = {}, dweights[row_tiles][keys / 8][4];
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) ATTEST_UNROLL
    for (int n = 0; n < keys / 8; ++n) ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry) dweights[m][n][entry] = plain ? -mean[m][entry / 2] : 0.0F;
    add_products_of_rows<dim, keys, row_tiles>(s, q_tile, own, k_tile);
    add_products_of_rows<dim, keys, row_tiles>(dweights, dout_tile, own, k_tile + keys * dim);
    const bool all_visible = first_key + keys <= key_count && !(p.mask.causal && first_key + keys - 1 > own_first);
    std::uint32_t dlogits[row_tiles][keys / 16][4];
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      const EntryTokens<false> at(own_first + 16 * m, first_key);
      finish_logits<plain>(s[m], p, b, h, all_visible, at);
      const DropoutFactors<false> dropout(p, threshold, b, h, own_first + 16 * m, first_key);
      differentiate_weights<plain>(
          s[m], dweights[m], p.scale, dropout, [&](int, int entry) { return shift[m][entry / 2]; },
          [&](int, int entry) { return mean[m][entry / 2]; });
      pack_left<keys, D>(dlogits[m], dweights[m]);
    }
    add_products_of_columns<dim, keys, row_tiles>(sums, dlogits, k_tile);
  }
  wait_for_copies<0>();
  ATTEST_UNROLL
  for (int m = 0; m < row_tiles; ++m)
    store_rows<dim>(sums[m], {p.scale, p.scale}, dq, b, h, own_first + 16 * m, p.queries, p.dim);
}

template <int dim, int row_tiles, int queries>
struct TensorKeyGradients {
  static constexpr int keys = 16 * warps * row_tiles, bytes = 2 * dim * (2 * keys + 4 * queries);
};

/// Grid: one block for every (b, h, TensorKeyGradients::keys keys). Preconditions: as above.
template <typename D, int dim, int row_tiles, int queries, bool plain>
__global__ void __launch_bounds__(threads_a_block)
    tensor_key_gradients_kernel(CudaAttendProblem<D> p, std::uint32_t threshold, HeadsView<const D> dout,
                                RowStatistics rows, HeadsView<D> dk, HeadsView<D> dv) {
  using Layout = TensorKeyGradients<dim, row_tiles, queries>;
  ATTEST_SHARED_MEMORY(memory);
  D* const k_tile = reinterpret_cast<D*>(memory);
  D* const v_tile = k_tile + Layout::keys * dim;
  D* const query_tiles = v_tile + Layout::keys * dim;  // [2][q, dout][queries][dim]
  const BlockOf block(p.heads, p.batch * p.heads, p.keys, Layout::keys, p.mask.causal, false);
  const Index b = block.b, h = block.h;
  const int lane = static_cast<int>(threadIdx.x) % 32, own = static_cast<int>(threadIdx.x) / 32 * 16 * row_tiles;
  const int first_key = static_cast<int>(block.first), own_first = first_key + own;
  const int query_count = static_cast<int>(p.queries);
  const RowCopies<dim, D> q_rows(p.q, b, h, p.queries, p.dim), dout_rows(dout, b, h, p.queries, p.value_dim);
  const auto start_queries = [&](int first, int stage) {
    D* const tile = query_tiles + stage * 2 * queries * dim;
    q_rows.template start<queries>(tile, first);
    dout_rows.template start<queries>(tile + queries * dim, first);
    end_group_of_copies();
  };
  // Under a causal mask the queries before the first key see none of these keys.
  const int begin = p.mask.causal ? first_key / queries * queries : 0;
  RowCopies<dim, D>(p.k, b, h, p.keys, p.dim).template start<Layout::keys>(k_tile, first_key);
  RowCopies<dim, D>(p.v, b, h, p.keys, p.value_dim).template start<Layout::keys>(v_tile, first_key);
  if (begin < query_count) start_queries(begin, 0);
  float key_sums[row_tiles][dim / 8][4] = {}, value_sums[row_tiles][dim / 8][4] = {};
  const Index head_rows = (b * p.heads + h) * rows.stride + 2 * (lane % 4);
  int stage = 0;
  for (int first = begin; first < query_count; first += queries, stage = 1 - stage) {
    float2 shift[queries / 8], mean[queries / 8];
    ATTEST_UNROLL
    for (int n = 0; n < queries / 8; ++n) {
      shift[n] = *reinterpret_cast<const float2*>(rows.shift + head_rows + first + 8 * n);
      mean[n] = *reinterpret_cast<const float2*>(rows.mean + head_rows + first + 8 * n);
    }
    wait_for_copies<0>();
    __syncthreads();
    if (first + queries < query_count) start_queries(first + queries, 1 - stage);
    const D* const q_tile = query_tiles + stage * 2 * queries * dim;
    const D* const dout_tile = q_tile + queries * dim;
    float s[row_tiles][queries / 8][4] = {}, dweights[row_tiles][queries / 8][4];
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) ATTEST_UNROLL
    for (int n = 0; n < queries / 8; ++n) ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry)
      dweights[m][n][entry] = !plain ? 0.0F : entry % 2 == 0 ? -mean[n].x : -mean[n].y;
    add_products_of_rows<dim, queries, row_tiles>(s, k_tile, own, q_tile);
    add_products_of_rows<dim, queries, row_tiles>(dweights, v_tile, own, dout_tile);
    std::uint32_t weights[row_tiles][queries / 16][4], dlogits[row_tiles][queries / 16][4];
    ATTEST_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      const int last_key = own_first + 16 * m + 15;
      const bool all_visible = last_key < static_cast<int>(p.keys) && !(p.mask.causal && last_key > first);
      const EntryTokens<true> at(own_first + 16 * m, first);
      finish_logits<plain>(s[m], p, b, h, all_visible, at);
      const DropoutFactors<true> dropout(p, threshold, b, h, own_first + 16 * m, first);
      differentiate_weights<plain>(
          s[m], dweights[m], p.scale, dropout,
          [&](int n, int entry) { return entry % 2 == 0 ? shift[n].x : shift[n].y; },
          [&](int n, int entry) { return entry % 2 == 0 ? mean[n].x : mean[n].y; });
      pack_left<queries, D>(weights[m], s[m]);
      pack_left<queries, D>(dlogits[m], dweights[m]);
    }
    add_products_of_columns<dim, queries, row_tiles>(value_sums, weights, dout_tile);
    add_products_of_columns<dim, queries, row_tiles>(key_sums, dlogits, q_tile);
  }
  wait_for_copies<0>();
  ATTEST_UNROLL
  for (int m = 0; m < row_tiles; ++m) {
    store_rows<dim>(key_sums[m], {p.scale, p.scale}, dk, b, h, own_first + 16 * m, p.keys, p.dim);
    store_rows<dim>(value_sums[m], {1.0F, 1.0F}, dv, b, h, own_first + 16 * m, p.keys, p.value_dim);
  }
}

}  // namespace attest::attention::cuda
