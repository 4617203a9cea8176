// Turning a square of numbers in registers; for files that are compiled for AVX or AVX-512.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "kernels/simd/lanes.hpp"

namespace attest::simd {

/// Whether squares of registers of `bytes` bytes are turned with the instructions that the file is compiled for.
template <int bytes>
inline constexpr bool turns_squares = bytes > 16 && bytes <= native_bytes;

#if defined(__AVX512F__)
/// Lane l of the first and the second register after an exchange of blocks of `distance` lanes: below `count` an entry
/// of what the first was, otherwise of the second.
template <typename Whole, int count>
constexpr std::array<Whole, count> lanes_after_exchange(int distance, bool second) {
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

/// Of every two blocks of `distance` lanes, the upper one of `first` and the lower one of `second` change places.
template <int distance, typename T>
inline void exchange_blocks(Lanes<T, 64>& first, Lanes<T, 64>& second) {
  using Whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr int count = Lanes<T, 64>::count;
  alignas(64) static constexpr auto from_first = lanes_after_exchange<Whole, count>(distance, false),
                                    from_second = lanes_after_exchange<Whole, count>(distance, true);
  const auto a = first.value, b = second.value;
  first.value = chosen(a, _mm512_load_si512(from_first.data()), b);
  second.value = chosen(a, _mm512_load_si512(from_second.data()), b);
}
#endif

#if defined(__AVX__)
/// The same of eight floats.
template <int distance>
inline void exchange_blocks(Lanes<float, 32>& first, Lanes<float, 32>& second) {
  const __m256 a = first.value, b = second.value;
  if constexpr (distance == 1) {
    first.value = _mm256_blend_ps(a, _mm256_moveldup_ps(b), 0xAA);
    second.value = _mm256_blend_ps(_mm256_movehdup_ps(a), b, 0xAA);
  } else if constexpr (distance == 2) {
    first.value = _mm256_shuffle_ps(a, b, 0x44);
    second.value = _mm256_shuffle_ps(a, b, 0xEE);
  } else {
    first.value = _mm256_permute2f128_ps(a, b, 0x20);
    second.value = _mm256_permute2f128_ps(a, b, 0x31);
  }
}

/// The same of four doubles.
template <int distance>
inline void exchange_blocks(Lanes<double, 32>& first, Lanes<double, 32>& second) {
  const __m256d a = first.value, b = second.value;
  if constexpr (distance == 1) {
    first.value = _mm256_unpacklo_pd(a, b);
    second.value = _mm256_unpackhi_pd(a, b);
  } else {
    first.value = _mm256_permute2f128_pd(a, b, 0x20);
    second.value = _mm256_permute2f128_pd(a, b, 0x31);
  }
}
#endif

/// `exchange_blocks` of all pairs of rows that are `distance` apart.
template <int distance, typename T, int bytes>
inline void exchange(Lanes<T, bytes>* rows) {
#pragma GCC unroll 16
  for (int r = 0; r < Lanes<T, bytes>::count; ++r)
    if ((r & distance) == 0) exchange_blocks<distance>(rows[r], rows[r + distance]);
}

/// to[j][i] = factor from[i][j] for a square of as many rows as a register of `bytes` bytes has lanes, rows being
/// from_row and to_row entries apart. Precondition: turns_squares<bytes>.
template <typename T, int bytes>
inline void transpose_square(const T* from, std::int64_t from_row, T factor, T* to, std::int64_t to_row) {
  using V = Lanes<T, bytes>;
  V rows[V::count];
  const V factors(factor);
#pragma GCC unroll 16
  for (int r = 0; r < V::count; ++r) rows[r] = factors * V::load(from + r * from_row);
  exchange<1>(rows);
  exchange<2>(rows);
  if constexpr (V::count >= 8) exchange<4>(rows);
  if constexpr (V::count >= 16) exchange<8>(rows);
#pragma GCC unroll 16
  for (int r = 0; r < V::count; ++r) rows[r].store(to + r * to_row);
}

}  // namespace attest::simd
