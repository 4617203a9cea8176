// Compiled with -march=x86-64-v2 (tests/CMakeLists.txt).
#include "tests/kernels/streams/operations_v2.hpp"

#include "kernels/streams/operations_lanes.hpp"

namespace attest::streams {
namespace {

template <typename T>
constexpr Operations<T> table_of = LaneOperations<T, 16>::table("x86-64-v2");

}  // namespace

template <>
const Operations<float>& operations_v2() {
  return table_of<float>;
}

template <>
const Operations<double>& operations_v2() {
  return table_of<double>;
}

}  // namespace attest::streams
