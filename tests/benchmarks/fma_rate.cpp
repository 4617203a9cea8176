#include "tests/benchmarks/fma_rate.hpp"

#include <immintrin.h>

namespace attest {
namespace {

constexpr int chains = 16;  // Four cycles of latency by two units, twice.

bool has_avx512() { return __builtin_cpu_supports("avx512f") != 0; }

__attribute__((target("avx512f"))) float chains_of_16(std::int64_t steps) {
  __m512 sums[chains];
#pragma GCC unroll 16
  for (int c = 0; c < chains; ++c) sums[c] = _mm512_set1_ps(static_cast<float>(c));
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (std::int64_t i = 0; i < steps; ++i)
#pragma GCC unroll 16
    for (int c = 0; c < chains; ++c) sums[c] = _mm512_fmadd_ps(sums[c], factor, factor);
  __m512 total = sums[0];
#pragma GCC unroll 16
  for (int c = 1; c < chains; ++c) total = _mm512_add_ps(total, sums[c]);
  return total[0] + total[15];
}

float chains_of_8(std::int64_t steps) {
  constexpr int used = chains - 4;  // 16 registers hold them all with the factor.
  __m256 sums[used];
#pragma GCC unroll 16
  for (int c = 0; c < used; ++c) sums[c] = _mm256_set1_ps(static_cast<float>(c));
  const __m256 factor = _mm256_set1_ps(0.999F);
  for (std::int64_t i = 0; i < steps; ++i)
#pragma GCC unroll 16
    for (int c = 0; c < used; ++c) sums[c] = _mm256_fmadd_ps(sums[c], factor, factor);
  __m256 total = sums[0];
#pragma GCC unroll 16
  for (int c = 1; c < used; ++c) total = _mm256_add_ps(total, sums[c]);
  return total[0] + total[7];
}

}  // namespace

float fma_chains(std::int64_t steps) { return has_avx512() ? chains_of_16(steps) : chains_of_8(steps); }

double fma_flops(std::int64_t steps) {
  return 2.0 * static_cast<double>(steps) * (has_avx512() ? 16 * chains : 8 * (chains - 4));
}

}  // namespace attest
