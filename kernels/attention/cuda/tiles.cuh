// What a block of threads does to one tile in shared memory: loading, products, and where things lie.
#pragma once

#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "kernels/attention/attend/attend_cuda.hpp"
#include "kernels/elementary/exponential.hpp"

#if defined(__CUDACC__)
/// The block's shared memory, whose size the launch gives.
#define ATTEST_SHARED_MEMORY(name) extern __shared__ __align__(32) unsigned char name[]
#endif

namespace attest::attention::cuda {

using elementary::exponential;
using simd::fused;
using simd::larger;

constexpr int threads_a_block = 128;

/// The device's own type for a storage type of the interface.
template <typename S>
struct Device {
  using Type = S;
};
template <>
struct Device<Half> {
  using Type = __half;
};
template <>
struct Device<Bfloat16> {
  using Type = __nv_bfloat16;
};

template <typename D>
constexpr bool uses_tensor_cores = std::is_same_v<D, __half> || std::is_same_v<D, __nv_bfloat16>;

template <typename D>
using Accumulator = std::conditional_t<std::is_same_v<D, double>, double, float>;

/// Features rounded up to what a tensor-core product takes.
constexpr ATTEST_HOST_DEVICE int padded(Index n) { return static_cast<int>((n + 15) / 16 * 16); }

/// Rows of shared tiles are longer than their entries, so that columns fall into different banks; the tensor cores'
/// loads ask for multiples of 16 bytes.
template <typename D, typename Entry>
constexpr ATTEST_HOST_DEVICE int row_length(int entries) {
  return entries + (uses_tensor_cores<D> ? 16 / static_cast<int>(sizeof(Entry)) : 1);
}

/// Hands out parts of the shared memory, aligned for the tensor cores.
class SharedLayout {
 public:
  template <typename Entry>
  ATTEST_HOST_DEVICE int take(int entries) {
    const int start = bytes_;
    bytes_ += (entries * static_cast<int>(sizeof(Entry)) + 31) / 32 * 32;
    return start;
  }
  ATTEST_HOST_DEVICE int bytes() const { return bytes_; }

 private:
  int bytes_ = 0;
};

/// Rows `first` to `first + rows` of one head as a shared tile; what lies beyond the tokens or features is zero.
template <typename D>
__device__ void load_rows(D* tile, int row, const HeadsView<const D>& from, Index b, Index h, Index first, Index tokens,
                          int rows, Index features) {
  const int width = padded(features);
  for (int entry = threadIdx.x; entry < rows * width; entry += threads_a_block) {
    const int n = entry / width, d = entry % width;
    const bool exists = first + n < tokens && d < features;
    tile[n * row + d] = exists ? from.row(b, h, first + n)[d] : D(0.0F);
  }
}

/// C = A B, or C += A B, in shared memory; A [rows][inner] is stored as [inner][rows] if `a_transposed`, B likewise.
/// Extents are multiples of 16. Each thread sums 4 x 4 entries in registers.
template <bool a_transposed, bool b_transposed, typename D>
requires(!uses_tensor_cores<D>) __device__ void product(D* c, int c_row, const D* a, int a_row, const D* b, int b_row,
                                                        int rows, int columns, int inner, bool add) {
  const int row_step = rows / 4, column_step = columns / 4;
  for (int part = threadIdx.x; part < row_step * column_step; part += threads_a_block) {
    const int r0 = part / column_step, c0 = part % column_step;
    D sums[4][4] = {};
    for (int i = 0; i < inner; ++i) {
      D left[4], right[4];
      ATTEST_UNROLL
      for (int x = 0; x < 4; ++x) {
        const int r = r0 + x * row_step, column = c0 + x * column_step;
        left[x] = a_transposed ? a[i * a_row + r] : a[r * a_row + i];
        right[x] = b_transposed ? b[column * b_row + i] : b[i * b_row + column];
      }
      ATTEST_UNROLL
      for (int x = 0; x < 4; ++x) ATTEST_UNROLL
      for (int y = 0; y < 4; ++y) sums[x][y] = fused(left[x], right[y], sums[x][y]);
    }
    ATTEST_UNROLL
    for (int x = 0; x < 4; ++x) ATTEST_UNROLL
    for (int y = 0; y < 4; ++y) {
      D& entry = c[(r0 + x * row_step) * c_row + c0 + y * column_step];
      entry = add ? entry + sums[x][y] : sums[x][y];
    }
  }
}

/// The same on tensor cores: a warp sums 16 x 16 entries in float.
template <bool a_transposed, bool b_transposed, typename D>
requires uses_tensor_cores<D> __device__ void product(float* c, int c_row, const D* a, int a_row, const D* b, int b_row,
                                                      int rows, int columns, int inner, bool add) {
  using namespace nvcuda;
  using LayoutA = std::conditional_t<a_transposed, wmma::col_major, wmma::row_major>;
  using LayoutB = std::conditional_t<b_transposed, wmma::col_major, wmma::row_major>;
  for (int part = threadIdx.x / 32; part < rows / 16 * (columns / 16); part += threads_a_block / 32) {
    const int r = part / (columns / 16) * 16, column = part % (columns / 16) * 16;
    float* const target = c + r * c_row + column;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    if (add)
      wmma::load_matrix_sync(sums, target, c_row, wmma::mem_row_major);
    else
      wmma::fill_fragment(sums, 0.0F);
    for (int i = 0; i < inner; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, D, LayoutA> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, D, LayoutB> right;
      wmma::load_matrix_sync(left, a_transposed ? a + i * a_row + r : a + r * a_row + i, a_row);
      wmma::load_matrix_sync(right, b_transposed ? b + column * b_row + i : b + i * b_row + column, b_row);
      wmma::mma_sync(sums, left, right, sums);
    }
    wmma::store_matrix_sync(target, sums, c_row, wmma::mem_row_major);
  }
}

/// Sum or maximum over a warp, the same in every lane and in a fixed order.
template <typename T>
__device__ T warp_sum(T x) {
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xFFFFFFFFU, x, offset);
  return x;
}
template <typename T>
__device__ T warp_largest(T x) {
  for (int offset = 16; offset > 0; offset /= 2) x = larger(x, __shfl_xor_sync(0xFFFFFFFFU, x, offset));
  return x;
}

}  // namespace attest::attention::cuda
