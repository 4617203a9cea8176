#include "kernels/attention/attend/tile_operations.hpp"

#include <vector>

#include "kernels/attention/attend/tile_operations_lanes.hpp"
#if defined(ATTEST_WITH_AVX512)
#include "kernels/attention/attend/tile_operations_avx512.hpp"
#endif

namespace attest::attention {
namespace {

// Six rows by two registers of 32 bytes: with the operands, 15 of 16 registers.
template <typename T>
constexpr TileOperations<T> baseline = LaneOperations<T, 32, 6>::table("baseline");

template <typename T>
std::vector<const TileOperations<T>*> of_this_machine() {
  std::vector<const TileOperations<T>*> found{&baseline<T>};
#if defined(ATTEST_WITH_AVX512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
    found.push_back(&tile_operations_avx512<T>());
#endif
  return found;
}

}  // namespace

template <typename T>
std::span<const TileOperations<T>* const> tile_operations() {
  static const std::vector<const TileOperations<T>*> found = of_this_machine<T>();
  return found;
}

template std::span<const TileOperations<float>* const> tile_operations();
template std::span<const TileOperations<double>* const> tile_operations();

}  // namespace attest::attention
