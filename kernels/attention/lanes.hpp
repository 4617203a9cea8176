// A fixed number of numbers that are computed with at once (SIMD), and the few operations that the attention tiles
// need.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace attest::attention {

/// Registers of `bytes` bytes of T, and of whole numbers of the same size.
template <typename T, int bytes>
struct LaneRegisters;

#define ATTEST_LANE_REGISTERS(T, Whole, bytes)              \
  template <>                                               \
  struct LaneRegisters<T, bytes> {                          \
    typedef T Real __attribute__((vector_size(bytes)));     \
    typedef Whole Bits __attribute__((vector_size(bytes))); \
  };
ATTEST_LANE_REGISTERS(float, std::uint32_t, 32)
ATTEST_LANE_REGISTERS(float, std::uint32_t, 64)
ATTEST_LANE_REGISTERS(double, std::uint64_t, 32)
ATTEST_LANE_REGISTERS(double, std::uint64_t, 64)
#undef ATTEST_LANE_REGISTERS

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
#else
    for (int i = 0; i < count; ++i) value[i] = x;
#endif
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
#else
    for (int i = 0; i < count; ++i) c.value[i] = std::fma(a.value[i], b.value[i], c.value[i]);
    return c;
#endif
  }

  /// max(a, b), and b where b is NaN.
  friend Lanes larger(Lanes a, Lanes b) { return of(b.value < a.value ? a.value : b.value); }

  /// `replacement` where `x` is minus infinity, else `x`.
  friend Lanes unless_minus_infinity(Lanes x, Lanes replacement) {
    return of(x.value < Lanes(std::numeric_limits<T>::lowest()).value ? replacement.value : x.value);
  }

  /// As `power_of_two` of kernels/attention/exponential.hpp.
  friend Lanes power_of_two(Lanes shifted) {
    constexpr int bias = sizeof(T) == 4 ? 127 : 1023, mantissa = sizeof(T) == 4 ? 23 : 52;
    return of(__builtin_bit_cast(Register, (__builtin_bit_cast(Bits, shifted.value) + bias) << mantissa));
  }
};

}  // namespace attest::attention
