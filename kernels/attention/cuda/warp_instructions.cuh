// What a warp does on matrices in registers: tensor-core products, loads of their fragments, and copies that run
// beside.
//
// A fragment of a 16 x 16 matrix A is four registers of two entries each; with g = lane / 4 and t = lane % 4, register
// 0 has columns 2t, 2t + 1 of row g, 1 those of row g + 8, 2 and 3 the same rows at columns 2t + 8, 2t + 9. A 16 x 8
// matrix B has rows 2t, 2t + 1 of column g, and 2t + 8, 2t + 9. Four sums have columns 2t, 2t + 1 of rows g and g + 8
// (PTX ISA, "Matrix fragments for mma.m16n8k16").
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__CUDACC__)

namespace attest::attention::cuda {

/// c += A B.
template <typename D>
__device__ inline void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  if constexpr (std::is_same_v<D, __half>)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Four 8 x 8 matrices, of which lane l gives the address of row l % 8 of matrix l / 8: to[m] has columns 2t, 2t + 1 of
/// row g of matrix m. Rows are 16 bytes, aligned.
template <typename D>
__device__ inline void load_matrices(std::uint32_t (&to)[4], const D* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row))));
}

/// The same with each matrix transposed: to[m] has rows 2t, 2t + 1 of column g.
template <typename D>
__device__ inline void load_transposed(std::uint32_t (&to)[4], const D* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row))));
}

/// Starts copying 16 bytes to shared memory, or zeros unless `exists`; `from` is an address that may be read, or is not
/// read.
__device__ inline void start_copy(void* to, const void* from, bool exists) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))), "l"(from), "r"(exists ? 16 : 0));
}

/// Waits for all that this thread has started to copy but the latest `pending` groups.
__device__ inline void end_group_of_copies() { asm volatile("cp.async.commit_group;"); }
template <int pending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" : : "n"(pending));
}

/// 2^x to 2 units in the last place; 0 below 2^-126.
__device__ inline float power_of_two(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// Two entries in one register, the first in the lower half.
template <typename D>
__device__ inline std::uint32_t packed(float first, float second) {
  if constexpr (std::is_same_v<D, __half>) {
    const __half2 both = __floats2half2_rn(first, second);
    return reinterpret_cast<const std::uint32_t&>(both);
  } else {
    const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
    return reinterpret_cast<const std::uint32_t&>(both);
  }
}

}  // namespace attest::attention::cuda

#else
#include <warp_instructions_emulated.hpp>
#endif
