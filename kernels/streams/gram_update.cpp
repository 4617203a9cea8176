#include "kernels/streams/gram_update.hpp"

#include "kernels/streams/gram_update_lanes.hpp"

namespace attest::streams {

void gram_update_baseline(const double* rows, std::size_t count, std::size_t stride, double* gram) {
  GramLanes<32>::update(rows, count, stride, gram);
}

GramUpdate gram_update() {
#if defined(ATTEST_WITH_AVX512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
    return &gram_update_avx512;
#endif
  return &gram_update_baseline;
}

}  // namespace attest::streams
