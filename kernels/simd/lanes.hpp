// A fixed number of numbers that are computed with at once (SIMD), and the few operations that the
// kernels need.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace attest::simd {

/// Registers of `bytes` bytes of T, and of whole numbers of the same size.
template <typename T, int bytes>
struct LaneRegisters;

#define ATTEST_LANE_REGISTERS(T, Whole, bytes)              \
  template <>                                               \
  struct LaneRegisters<T, bytes> {                          \
    typedef T Real __attribute__((vector_size(bytes)));     \
    typedef Whole Bits __attribute__((vector_size(bytes))); \
  };
ATTEST_LANE_REGISTERS(float, std::uint32_t, 16)
ATTEST_LANE_REGISTERS(double, std::uint64_t, 16)
ATTEST_LANE_REGISTERS(float, std::uint32_t, 32)
ATTEST_LANE_REGISTERS(float, std::uint32_t, 64)
ATTEST_LANE_REGISTERS(double, std::uint64_t, 32)
ATTEST_LANE_REGISTERS(double, std::uint64_t, 64)
#undef ATTEST_LANE_REGISTERS

/// Bytes of the widest registers that the file is compiled for.
#if defined(__AVX512F__)
inline constexpr int native_bytes = 64;
#elif defined(__AVX__)
inline constexpr int native_bytes = 32;
#else
inline constexpr int native_bytes = 16;
#endif

/// The products of the low halves of 64-bit lanes; the high halves do not matter.
template <typename Words>
Words low_products(Words a, Words b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Words) == 64)
    return __builtin_bit_cast(Words, _mm512_mul_epu32(__builtin_bit_cast(__m512i, a), __builtin_bit_cast(__m512i, b)));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(Words) == 32)
    return __builtin_bit_cast(Words, _mm256_mul_epu32(__builtin_bit_cast(__m256i, a), __builtin_bit_cast(__m256i, b)));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(Words) == 16)
    return __builtin_bit_cast(Words, _mm_mul_epu32(__builtin_bit_cast(__m128i, a), __builtin_bit_cast(__m128i, b)));
#endif
  return (a & 0xFFFFFFFFU) * (b & 0xFFFFFFFFU);
}

/// The high halves of 64-bit lanes, moved to the low ones; what is above them does not matter. On AVX-512 a shuffle
/// instead of a shift, which would wait for the unit that multiplies.
template <typename Words>
Words high_halves(Words a) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Words) == 64)
    return __builtin_bit_cast(Words, _mm512_shuffle_epi32(__builtin_bit_cast(__m512i, a), _MM_PERM_CDAB));
#endif
  return a >> 32;
}

/// `bytes` of T, lane by lane: no operation mixes lanes, so results do not depend on how many there are.
template <typename T, int bytes>
struct Lanes {
  using Register = typename LaneRegisters<T, bytes>::Real;
  using Bits = typename LaneRegisters<T, bytes>::Bits;
  static constexpr int count = bytes / static_cast<int>(sizeof(T));

  Register value{};

  Lanes() = default;
  /// Every lane is `x`.
  explicit Lanes(T x) {
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && sizeof(T) == 4) value = _mm512_set1_ps(x);
    if constexpr (bytes == 64 && sizeof(T) == 8) value = _mm512_set1_pd(x);
#endif
#if defined(__AVX__)
    if constexpr (bytes == 32 && sizeof(T) == 4) value = _mm256_set1_ps(x);
    if constexpr (bytes == 32 && sizeof(T) == 8) value = _mm256_set1_pd(x);
#endif
    if constexpr (bytes == 16 || bytes > native_bytes)
      for (int i = 0; i < count; ++i) value[i] = x;
  }
  static Lanes of(Register from) {
    Lanes result;
    result.value = from;
    return result;
  }

  static Lanes load(const T* from) {
    Lanes result;
    std::memcpy(&result.value, from, bytes);
    return result;
  }
  void store(T* to) const { std::memcpy(to, &value, bytes); }

  friend Lanes operator+(Lanes a, Lanes b) { return of(a.value + b.value); }
  friend Lanes operator-(Lanes a, Lanes b) { return of(a.value - b.value); }
  friend Lanes operator*(Lanes a, Lanes b) { return of(a.value * b.value); }

  /// a b + c with one rounding.
  friend Lanes fused(Lanes a, Lanes b, Lanes c) {
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && sizeof(T) == 4) return of(_mm512_fmadd_ps(a.value, b.value, c.value));
    if constexpr (bytes == 64 && sizeof(T) == 8) return of(_mm512_fmadd_pd(a.value, b.value, c.value));
#endif
#if defined(__FMA__)
    if constexpr (bytes == 32 && sizeof(T) == 4) return of(_mm256_fmadd_ps(a.value, b.value, c.value));
    if constexpr (bytes == 32 && sizeof(T) == 8) return of(_mm256_fmadd_pd(a.value, b.value, c.value));
#endif
    for (int i = 0; i < count; ++i) c.value[i] = std::fma(a.value[i], b.value[i], c.value[i]);
    return c;
  }

  /// max(a, b), and b where b is NaN.
  friend Lanes larger(Lanes a, Lanes b) { return of(b.value < a.value ? a.value : b.value); }

  /// `replacement` where `x` is minus infinity, else `x`.
  friend Lanes unless_minus_infinity(Lanes x, Lanes replacement) {
    return of(x.value < Lanes(std::numeric_limits<T>::lowest()).value ? replacement.value : x.value);
  }

  friend Lanes operator/(Lanes a, Lanes b) { return of(a.value / b.value); }

  /// a < b ? yes : no, lane by lane.
  friend Lanes if_less(Lanes a, Lanes b, Lanes yes, Lanes no) { return of(a.value < b.value ? yes.value : no.value); }

  friend Lanes square_root(Lanes x) {
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && sizeof(T) == 4) return of(_mm512_sqrt_ps(x.value));
    if constexpr (bytes == 64 && sizeof(T) == 8) return of(_mm512_sqrt_pd(x.value));
#endif
#if defined(__AVX__)
    if constexpr (bytes == 32 && sizeof(T) == 4) return of(_mm256_sqrt_ps(x.value));
    if constexpr (bytes == 32 && sizeof(T) == 8) return of(_mm256_sqrt_pd(x.value));
#endif
    for (int i = 0; i < count; ++i) x.value[i] = std::sqrt(x.value[i]);
    return x;
  }

  friend Bits to_bits(Lanes x) { return __builtin_bit_cast(Bits, x.value); }
  friend void set_bits(Lanes& x, Bits bits) { x.value = __builtin_bit_cast(Register, bits); }

  /// The numbers `whole` in 1, ..., 2^31 - 1, rounded to nearest.
  friend void set_whole(Lanes& x, Bits whole) {
    using Signed [[gnu::vector_size(bytes)]] = std::int32_t;
    x.value = __builtin_convertvector(__builtin_bit_cast(Signed, whole), Register);
  }

  /// Doubles rounded to T = float: the lanes of `low`, then those of `high`.
  static Lanes narrowed(Lanes<double, bytes> low, Lanes<double, bytes> high) {
#if defined(__AVX512F__)
    if constexpr (bytes == 64)
      return of(_mm512_insertf32x8(_mm512_castps256_ps512(__builtin_convertvector(low.value, __m256)),
                                   __builtin_convertvector(high.value, __m256), 1));
#endif
#if defined(__AVX__)
    if constexpr (bytes == 32) return of(_mm256_set_m128(_mm256_cvtpd_ps(high.value), _mm256_cvtpd_ps(low.value)));
#endif
    Lanes result;
    for (int i = 0; i < count / 2; ++i) {
      result.value[i] = static_cast<T>(low.value[i]);
      result.value[count / 2 + i] = static_cast<T>(high.value[i]);
    }
    return result;
  }
};

}  // namespace attest::simd
