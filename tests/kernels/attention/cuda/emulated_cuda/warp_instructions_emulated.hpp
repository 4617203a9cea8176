// The instructions of kernels/attention/cuda/warp_instructions.cuh on the processor: a warp's threads lay what they
// hold on a table and read what the fragments' layout says.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "tests/kernels/attention/cuda/emulated_cuda/emulation.hpp"

struct float2 {
  float x, y;
};

namespace attest::emulation {

/// What each lane of a warp has laid out.
struct Table {
  std::array<std::array<std::uint32_t, 6>, threads_a_warp> registers{};
  std::array<const std::uint16_t*, threads_a_warp> rows{};
};

inline Table& table() {
  static std::array<Table, 4> tables;
  return tables[threadIdx.x / threads_a_warp];
}

/// Entry `which` of two in a register.
template <typename D>
float entry_of(std::uint32_t both, unsigned which) {
  return static_cast<float>(std::bit_cast<D>(static_cast<std::uint16_t>(both >> (16 * which))));
}

}  // namespace attest::emulation

namespace attest::attention::cuda {

template <typename D>
void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  auto& table = emulation::table().registers;
  const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  table[lane] = {a[0], a[1], a[2], a[3], b0, b1};
  __syncwarp();
  for (unsigned entry = 0; entry < 4; ++entry)
    for (unsigned inner = 0; inner < 16; ++inner) {
      const unsigned source = inner % 8 / 2, high = inner / 8;
      c[entry] += emulation::entry_of<D>(table[4 * g + source][2 * high + entry / 2], inner % 2) *
                  emulation::entry_of<D>(table[4 * (2 * t + entry % 2) + source][4 + high], inner % 2);
    }
  __syncwarp();
}

namespace emulated {

template <bool transposed, typename D>
void load(std::uint32_t (&to)[4], const D* row) {
  auto& rows = emulation::table().rows;
  const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  if (std::bit_cast<std::uintptr_t>(row) % 16 != 0) throw std::logic_error("a matrix's row is not aligned");
  rows[lane] = reinterpret_cast<const std::uint16_t*>(row);
  __syncwarp();
  for (unsigned m = 0; m < 4; ++m) {
    const std::uint32_t first = transposed ? rows[8 * m + 2 * t][g] : rows[8 * m + g][2 * t];
    const std::uint32_t second = transposed ? rows[8 * m + 2 * t + 1][g] : rows[8 * m + g][2 * t + 1];
    to[m] = first | second << 16;
  }
  __syncwarp();
}

}  // namespace emulated

template <typename D>
void load_matrices(std::uint32_t (&to)[4], const D* row) {
  emulated::load<false>(to, row);
}
template <typename D>
void load_transposed(std::uint32_t (&to)[4], const D* row) {
  emulated::load<true>(to, row);
}

/// At once: that a copy which still runs is not read shows on a device alone (compute-sanitizer's racecheck).
inline void start_copy(void* to, const void* from, bool exists) {
  if (std::bit_cast<std::uintptr_t>(to) % 16 != 0 || std::bit_cast<std::uintptr_t>(from) % 16 != 0)
    throw std::logic_error("16 bytes to copy are not aligned");
  if (exists)
    std::memcpy(to, from, 16);
  else
    std::memset(to, 0, 16);
}
inline void end_group_of_copies() {}
template <int pending>
void wait_for_copies() {}

inline float power_of_two(float x) { return x < -126 ? 0.0F : std::exp2(x); }

template <typename D>
std::uint32_t packed(float first, float second) {
  return std::bit_cast<std::uint16_t>(D(first)) | std::uint32_t{std::bit_cast<std::uint16_t>(D(second))} << 16;
}

}  // namespace attest::attention::cuda
