// The AVX-512 tile operations, present in builds for x86-64.
#pragma once

#include "kernels/attention/attend/tile_operations.hpp"

namespace attest::attention {

/// To be run only on machines with the x86-64-v4 instructions (AVX-512 F, VL, BW, DQ, CD).
template <typename T>
const TileOperations<T>& tile_operations_avx512();
template <>
const TileOperations<float>& tile_operations_avx512();
template <>
const TileOperations<double>& tile_operations_avx512();

}  // namespace attest::attention
