// As much of CUDA as the kernels use, on the processor: a block is 128 threads, which keep step at barriers only, so
// that a missing synchronisation shows. For machines without a device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#include "tests/kernels/attention/cuda/emulated_cuda/block_of_threads.hpp"
#else
#include "tests/kernels/attention/cuda/emulated_cuda/block_of_fibers.hpp"
#endif

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define ATTEST_SHARED_MEMORY(name) \
  unsigned char* const name = reinterpret_cast<unsigned char*>(attest::emulation::block().memory.data())

namespace attest::emulation {

constexpr unsigned shared_bytes = 1U << 18;

struct alignas(32) Words {
  std::array<std::uint64_t, 4> words;
};

/// What the threads of the running block share.
struct Block {
  std::array<std::array<double, threads_a_warp>, 4> exchanged{};
  std::vector<Words> memory = std::vector<Words>(shared_bytes / sizeof(Words));
};

inline Block& block() {
  static Block only;
  return only;
}

}  // namespace attest::emulation

inline void __syncthreads() { attest::emulation::Threads::only().wait_for_block(); }
inline void __syncwarp() { attest::emulation::Threads::only().wait_for_warp(); }

template <typename T>
T __shfl_xor_sync(unsigned, T value, int offset) {
  auto& slots = attest::emulation::block().exchanged[threadIdx.x / 32];
  slots[threadIdx.x % 32] = static_cast<double>(value);
  __syncwarp();
  const T other = static_cast<T>(slots[(threadIdx.x % 32) ^ static_cast<unsigned>(offset)]);
  __syncwarp();
  return other;
}

inline int __any_sync(unsigned, bool predicate) {
  auto& slots = attest::emulation::block().exchanged[threadIdx.x / 32];
  slots[threadIdx.x % 32] = predicate ? 1 : 0;
  __syncwarp();
  const bool any = std::any_of(slots.begin(), slots.end(), [](double slot) { return slot != 0; });
  __syncwarp();
  return any ? 1 : 0;
}

/// Half precision by the compiler's own type.
struct __half {
  __half() = default;
  explicit __half(float x) : value(static_cast<_Float16>(x)) {}
  operator float() const { return static_cast<float>(value); }
  _Float16 value;
};

/// The upper half of a float, rounded to nearest even.
struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  explicit __nv_bfloat16(float x) {
    const auto whole = std::bit_cast<std::uint32_t>(x);
    bits = static_cast<std::uint16_t>((whole + 0x7FFFU + ((whole >> 16) & 1U)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  std::uint16_t bits;
};

/// Tensor-core products of 16 x 16 x 16: every thread of a warp holds the whole of a fragment, the first one stores.
namespace nvcuda::wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum Layout { mem_row_major };

template <typename Kind, int, int, int, typename T, typename Order = row_major>
struct fragment {
  std::array<std::array<float, 16>, 16> entries{};
};
using Sums = fragment<accumulator, 16, 16, 16, float>;

/// What the hardware asks of an address and a row length.
template <typename T>
void require_alignment(const T* memory, int row) {
  if (std::bit_cast<std::uintptr_t>(memory) % 32 != 0 || static_cast<unsigned>(row) * sizeof(T) % 16 != 0)
    throw std::logic_error("a tensor-core tile is not aligned");
}

template <typename Kind, typename T, typename Order>
void load_matrix_sync(fragment<Kind, 16, 16, 16, T, Order>& to, const T* from, int row) {
  require_alignment(from, row);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      to.entries[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          std::is_same_v<Order, row_major> ? from[i * row + j] : from[j * row + i];
}

inline void load_matrix_sync(Sums& to, const float* from, int row, Layout) {
  load_matrix_sync<accumulator, float, row_major>(to, from, row);
  __syncwarp();
}

inline void fill_fragment(Sums& sums, float value) {
  for (auto& row : sums.entries) row.fill(value);
}

template <typename A, typename B>
void mma_sync(Sums& to, const A& a, const B& b, const Sums& c) {
  Sums result = c;
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t k = 0; k < 16; ++k)
      for (std::size_t j = 0; j < 16; ++j) result.entries[i][j] += a.entries[i][k] * b.entries[k][j];
  to = result;
}

inline void store_matrix_sync(float* to, const Sums& from, int row, Layout) {
  require_alignment(to, row);
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j)
        to[i * row + j] = from.entries[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  __syncwarp();
}

}  // namespace nvcuda::wmma

namespace attest::emulation {

/// Runs `kernel` in every thread of every block, one block after the other; shared memory starts as NaN.
template <typename Kernel>
void launch(std::int64_t blocks, const Kernel& kernel) {
  constexpr std::uint64_t ones = 0xFFFFFFFFFFFFFFFF;
  static constexpr Words all_ones{{ones, ones, ones, ones}};
  run_blocks(blocks, kernel, [] { std::fill(block().memory.begin(), block().memory.end(), all_ones); });
}

}  // namespace attest::emulation
