// log(x): one definition for scalars, SIMD lanes and CUDA threads.
#pragma once

#include "kernels/simd/scalar.hpp"

namespace attest::elementary {

/// What the steps of the logarithm need to know of a floating-point type.
template <typename T>
struct LogarithmConstants;

template <>
struct LogarithmConstants<double> {
  /// The bit pattern of sqrt(1/2), rounded: subtracting it moves the carry into the exponent where m would reach
  /// sqrt(2).
  static constexpr std::uint64_t root_half = 0x3FE6A09E00000000;
  static constexpr double whole = 0x1p52;  ///< with a number's bits in its low bits, it is whole plus that number
  /// artanh(s)/s = 1 + s^2 (1/3 + s^2/5 + ...); the first term left out is s^22 / 23 < 1.5e-18.
  static constexpr int terms = 10;
  ATTEST_HOST_DEVICE static constexpr double series(int k) { return 1.0 / (2 * k + 3); }
};

template <>
struct LogarithmConstants<float> {
  static constexpr std::uint32_t root_half = 0x3F3504F3;
  static constexpr float whole = 0x1p23F;
  /// The best polynomial for |s| < 0.1716: within 2^-26 of the series.
  static constexpr int terms = 4;
  ATTEST_HOST_DEVICE static constexpr float series(int k) {
    constexpr float c[] = {0x1.555556p-2F, 0x1.99986cp-3F, 0x1.24c216p-3F, 0x1.ce5c5ap-4F};
    return c[k];
  }
};

/// log(x) for V = T or a register of T.
///
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.1716.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline V logarithm_steps(V x) {
  using simd::fused;
  using simd::to_bits;
  using Constants = LogarithmConstants<T>;
  using Format = simd::Format<T>;
  const auto pattern = to_bits(x);
  const auto biased = (pattern + (Format::one - Constants::root_half)) >> Format::mantissa_bits;
  const V m = simd::from_bits<V>(pattern - ((biased - Format::exponent_bias) << Format::mantissa_bits));
  const V e = simd::from_bits<V>(biased | simd::to_bits(Constants::whole)) -
              V(Constants::whole + static_cast<T>(Format::exponent_bias));
  const V f = m - V(T(1));  // Exact.
  const V s = f / (m + V(T(1)));
  const V s2 = s * s;
  V series(Constants::series(Constants::terms - 1));
  ATTEST_UNROLL
  for (int k = Constants::terms - 2; k >= 0; --k) series = fused(series, s2, V(Constants::series(k)));
  // With f = m - 1, which is exact, 2 s = f - s f, so that the large part carries no rounding error of the quotient.
  const V small = s * (V(T(2)) * s2 * series - f);
  return fused(e, V(Format::ln2_high), f + fused(e, V(Format::ln2_low), small));
}

/// log(x) for a positive, finite, normal x. Error: below 2 ulp of the result for x outside (0.7, 1.42), and below
/// 2^-52 |x - 1| inside, so that it is exactly 0 at 1. In single precision 3 ulp and 2^-22 |x - 1|.
ATTEST_HOST_DEVICE inline double logarithm(double x) { return logarithm_steps<double>(x); }
ATTEST_HOST_DEVICE inline float logarithm(float x) { return logarithm_steps<float>(x); }

}  // namespace attest::elementary
