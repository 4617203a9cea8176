// Compiled for AVX-512 (kernels/CMakeLists.txt). Only templates that no other file instantiates may be used here: an
// inline function shared with other files could be linked from this one and fail on machines without AVX-512.
#include "kernels/streams/operations_avx512.hpp"

#include "kernels/streams/operations_lanes.hpp"

namespace attest::streams {
namespace {

template <typename T>
constexpr Operations<T> table_of = LaneOperations<T, 64, true>::table("avx512");

}  // namespace

template <>
const Operations<float>& operations_avx512() {
  return table_of<float>;
}

template <>
const Operations<double>& operations_avx512() {
  return table_of<double>;
}

}  // namespace attest::streams
