// Compiled for AVX-512 (kernels/CMakeLists.txt). Only templates that no other file instantiates may be used here: an
// inline function shared with other files could be linked from this one and fail on machines without AVX-512.
#include "kernels/attention/attend/tile_operations_avx512.hpp"

#include "kernels/attention/attend/tile_operations_lanes.hpp"

namespace attest::attention {
namespace {

// Eight rows by two registers: 16 accumulators of 32 registers.
template <typename T>
constexpr TileOperations<T> operations = LaneOperations<T, 64, 8>::table("avx512");

}  // namespace

template <>
const TileOperations<float>& tile_operations_avx512() {
  return operations<float>;
}

template <>
const TileOperations<double>& tile_operations_avx512() {
  return operations<double>;
}

}  // namespace attest::attention
