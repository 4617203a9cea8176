#include "kernels/streams/operations.hpp"

#include <vector>

#include "kernels/streams/operations_lanes.hpp"
#if defined(ATTEST_WITH_AVX512)
#include "kernels/streams/operations_avx512.hpp"
#endif

namespace attest::streams {
namespace {

template <typename T>
constexpr Operations<T> baseline = LaneOperations<T, 32>::table("baseline");

template <typename T>
std::vector<const Operations<T>*> of_this_machine() {
  std::vector<const Operations<T>*> found{&baseline<T>};
#if defined(ATTEST_WITH_AVX512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
    found.push_back(&operations_avx512<T>());
#endif
  return found;
}

}  // namespace

template <typename T>
std::span<const Operations<T>* const> operations() {
  static const std::vector<const Operations<T>*> found = of_this_machine<T>();
  return found;
}

template std::span<const Operations<float>* const> operations();
template std::span<const Operations<double>* const> operations();

}  // namespace attest::streams
