// The few operations that the shared arithmetic is written in, for a single number; kernels/simd/lanes.hpp has them for
// registers, and both give the same bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/device/host_device.hpp"

namespace attest::simd {

/// The layout of a floating-point type, and log 2 in two parts of which the first is exact times any exponent.
template <typename T>
struct Format;

template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr Bits exponent_bias = 1023;
  static constexpr Bits sign = Bits{1} << 63, one = exponent_bias << mantissa_bits;
  static constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
};

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr Bits exponent_bias = 127;
  static constexpr Bits sign = Bits{1} << 31, one = exponent_bias << mantissa_bits;
  static constexpr float ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
};

/// The bit pattern of a number, and the number of a bit pattern.
ATTEST_HOST_DEVICE inline std::uint64_t to_bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
ATTEST_HOST_DEVICE inline std::uint32_t to_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
ATTEST_HOST_DEVICE inline void set_bits(double& x, std::uint64_t bits) { x = __builtin_bit_cast(double, bits); }
ATTEST_HOST_DEVICE inline void set_bits(float& x, std::uint32_t bits) { x = __builtin_bit_cast(float, bits); }

template <typename V, typename Bits>
ATTEST_HOST_DEVICE inline V from_bits(Bits bits) {
  V result;
  set_bits(result, bits);
  return result;
}

/// a b + c with one rounding.
ATTEST_HOST_DEVICE inline double fused(double a, double b, double c) { return std::fma(a, b, c); }
ATTEST_HOST_DEVICE inline float fused(float a, float b, float c) { return std::fma(a, b, c); }

/// max(a, b), and b where b is NaN.
ATTEST_HOST_DEVICE inline double larger(double a, double b) { return b < a ? a : b; }
ATTEST_HOST_DEVICE inline float larger(float a, float b) { return b < a ? a : b; }

/// a < b ? yes : no.
ATTEST_HOST_DEVICE inline double if_less(double a, double b, double yes, double no) { return a < b ? yes : no; }
ATTEST_HOST_DEVICE inline float if_less(float a, float b, float yes, float no) { return a < b ? yes : no; }

/// sqrt(x), correctly rounded.
ATTEST_HOST_DEVICE inline double square_root(double x) { return std::sqrt(x); }
ATTEST_HOST_DEVICE inline float square_root(float x) { return std::sqrt(x); }

/// x for x in 1, ..., 2^31 - 1, rounded to nearest.
ATTEST_HOST_DEVICE inline void set_whole(float& x, std::uint32_t whole) {
  x = static_cast<float>(static_cast<std::int32_t>(whole));
}

/// |x|.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline V magnitude(V x) {
  return from_bits<V>(to_bits(x) & ~Format<T>::sign);
}

/// 2^n for the integer n in the low bits of `shifted` = 1.5 2^52 + n (double) or 1.5 2^23 + n (float); 0 at the least
/// exponent.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline V power_of_two(V shifted) {
  return from_bits<V>((to_bits(shifted) + Format<T>::exponent_bias) << Format<T>::mantissa_bits);
}

}  // namespace attest::simd
