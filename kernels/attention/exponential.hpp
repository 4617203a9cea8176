// The exponential of the softmax kernels: one definition for scalars, SIMD lanes and CUDA threads.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/device/host_device.hpp"

namespace attest::attention {

/// What the steps of the exponential need to know of a floating-point type.
template <typename T>
struct ExponentialConstants;

template <>
struct ExponentialConstants<double> {
  using Bits = std::uint64_t;
  static constexpr double lowest = -709.1;  ///< scales by 2^-1023, whose exponent field is that of zero
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double rounder = 0x1.8p52;  ///< adding it rounds to an integer and leaves it in the low bits
  static constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr int degree = 13;  ///< the first term left out is below (log(2)/2)^14 / 14! < 5e-18
  static constexpr int mantissa_bits = 52, exponent_bias = 1023;
};

template <>
struct ExponentialConstants<float> {
  using Bits = std::uint32_t;
  static constexpr float lowest = -88.1F;  ///< scales by 2^-127
  static constexpr float log2_e = 0x1.715476p+0F;
  static constexpr float rounder = 0x1.8p23F;
  static constexpr float ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;  ///< the first has 15 bits
  static constexpr int degree = 7;  ///< the first term left out is below (log(2)/2)^8 / 8! < 6e-9
  static constexpr int mantissa_bits = 23, exponent_bias = 127;
};

/// a b + c with one rounding.
ATTEST_HOST_DEVICE inline double fused(double a, double b, double c) { return std::fma(a, b, c); }
ATTEST_HOST_DEVICE inline float fused(float a, float b, float c) { return std::fma(a, b, c); }

/// max(a, b), and b where b is NaN.
ATTEST_HOST_DEVICE inline double larger(double a, double b) { return b < a ? a : b; }
ATTEST_HOST_DEVICE inline float larger(float a, float b) { return b < a ? a : b; }

/// 2^n for the integer n in the low bits of `shifted` = rounder + n; 0 at the least exponent.
ATTEST_HOST_DEVICE inline double power_of_two(double shifted) {
  return __builtin_bit_cast(double, (__builtin_bit_cast(std::uint64_t, shifted) + 1023U) << 52);
}
ATTEST_HOST_DEVICE inline float power_of_two(float shifted) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(std::uint32_t, shifted) + 127U) << 23);
}

/// exp(x) for V = T or a vector of T with `fused`, `larger`, `power_of_two` and conversion from T: x = n log 2 + r with
/// |r| <= log(2)/2, exp r by its Taylor series.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline V exponential_steps(V x) {
  using Constants = ExponentialConstants<T>;
  const V clamped = larger(V(Constants::lowest), x);
  const V shifted = fused(clamped, V(Constants::log2_e), V(Constants::rounder));
  const V minus_n = V(Constants::rounder) - shifted;
  const V r = fused(minus_n, V(Constants::ln2_low), fused(minus_n, V(Constants::ln2_high), clamped));
  V series = V(T(1));
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 12  // A loop inside would keep an outer loop from vectorising.
#endif
  for (int j = Constants::degree; j >= 2; --j) series = fused(series * r, V(T(1) / static_cast<T>(j)), V(T(1)));
  return fused(series, r, V(T(1))) * power_of_two(shifted);
}

/// exp(x) for x <= 700 with relative error below 2^-51 where x >= -708, free of branches so that loops over it
/// vectorise, with the same bits on every target. Below -709.1, also at -infinity, the result is exactly 0 (the true
/// value is under 1e-307); NaN gives NaN; above 700 the result is unspecified.
ATTEST_HOST_DEVICE inline double exponential(double x) { return exponential_steps<double>(x); }

/// The same in single precision: x <= 80, relative error below 2^-22 where x >= -87, exactly 0 below -88.1.
ATTEST_HOST_DEVICE inline float exponential(float x) { return exponential_steps<float>(x); }

}  // namespace attest::attention
