// Turning a square of numbers in registers; for files that are compiled for AVX-512.
#pragma once

#if defined(__AVX512F__)
#include <array>
#include <cstdint>

#include "kernels/simd/lanes.hpp"

namespace attest::simd {

/// Lane l of the first and the second result of exchanging blocks of `distance` lanes between two registers: below
/// `count` an entry of the first register, otherwise of the second.
template <typename Whole, int count>
constexpr std::array<Whole, count> exchanged(int distance, bool second) {
  std::array<Whole, count> from{};
  for (int lane = 0; lane < count; ++lane) {
    const bool upper = (lane & distance) != 0;
    const int entry = second ? (upper ? lane + count : lane + distance) : (upper ? lane - distance + count : lane);
    from[static_cast<std::size_t>(lane)] = static_cast<Whole>(entry);
  }
  return from;
}

inline __m512 chosen(__m512 a, __m512i from, __m512 b) { return _mm512_permutex2var_ps(a, from, b); }
inline __m512d chosen(__m512d a, __m512i from, __m512d b) { return _mm512_permutex2var_pd(a, from, b); }

/// Exchanges blocks of `distance` lanes between all pairs of rows that are `distance` apart.
template <typename T, int distance>
inline void exchange(Lanes<T, 64>* rows) {
  using Whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr int count = Lanes<T, 64>::count;
  alignas(64) static constexpr auto first = exchanged<Whole, count>(distance, false),
                                    second = exchanged<Whole, count>(distance, true);
  const __m512i from_first = _mm512_load_si512(first.data()), from_second = _mm512_load_si512(second.data());
#pragma GCC unroll 16
  for (int r = 0; r < count; ++r) {
    if ((r & distance) != 0) continue;
    const auto a = rows[r].value, b = rows[r + distance].value;
    rows[r].value = chosen(a, from_first, b);
    rows[r + distance].value = chosen(a, from_second, b);
  }
}

/// to[j][i] = factor from[i][j] for a square of 16 floats or 8 doubles, rows being from_row and to_row entries apart.
template <typename T>
inline void transpose_square(const T* from, std::int64_t from_row, T factor, T* to, std::int64_t to_row) {
  using V = Lanes<T, 64>;
  V rows[V::count];
  const V factors(factor);
#pragma GCC unroll 16
  for (int r = 0; r < V::count; ++r) rows[r] = factors * V::load(from + r * from_row);
  exchange<T, 1>(rows);
  exchange<T, 2>(rows);
  exchange<T, 4>(rows);
  if constexpr (V::count == 16) exchange<T, 8>(rows);
#pragma GCC unroll 16
  for (int r = 0; r < V::count; ++r) rows[r].store(to + r * to_row);
}

}  // namespace attest::simd
#endif
