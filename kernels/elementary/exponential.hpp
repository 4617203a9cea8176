// exp(x) and exp(x) - 1: one definition for scalars, SIMD lanes and CUDA threads.
#pragma once

#include "kernels/simd/scalar.hpp"

namespace attest::elementary {

/// What the steps of the exponential need to know of a floating-point type.
///
/// `series` c_2, c_3, ...: 1 + r + c_2 r^2 + ... is the polynomial of least relative distance from exp r on
/// |r| <= log(2)/2 among those with coefficients of that type; the distance is below 2^-57 (double) and 2^-28 (float).
template <typename T>
struct ExponentialConstants;

template <>
struct ExponentialConstants<double> {
  static constexpr double lowest = -709.1;  ///< scales by 2^-1023, whose exponent field is that of zero
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double rounder = 0x1.8p52;  ///< adding it rounds to an integer and leaves it in the low bits
  static constexpr int degree = 11;
  ATTEST_HOST_DEVICE static constexpr double series(int power) {
    constexpr double c[] = {0x1.000000000000ap-1,  0x1.55555555554fep-3,  0x1.55555555506bfp-5,  0x1.1111111126b36p-7,
                            0x1.6c16c18475faap-10, 0x1.a01a012fed2e2p-13, 0x1.a019996299384p-16, 0x1.71df18f7a68d6p-19,
                            0x1.28adf8e7ba71dp-22, 0x1.ad92d1dc730f7p-26};
    return c[power - 2];
  }
};

template <>
struct ExponentialConstants<float> {
  static constexpr float lowest = -88.1F;  ///< scales by 2^-127
  static constexpr float log2_e = 0x1.715476p+0F;
  static constexpr float rounder = 0x1.8p23F;
  static constexpr int degree = 6;
  ATTEST_HOST_DEVICE static constexpr float series(int power) {
    constexpr float c[] = {0x1.fffffap-2F, 0x1.555492p-3F, 0x1.555a26p-5F, 0x1.12397cp-7F, 0x1.694c82p-10F};
    return c[power - 2];
  }
};

/// x = n log 2 + r with |r| <= log(2)/2, and c_2 + c_3 r + ...
template <typename V>
struct ExponentialParts {
  V shifted;  ///< rounder + n
  V r, series;
};

/// The parts of exp(x) for V = T or a register of T.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline ExponentialParts<V> exponential_parts(V x) {
  using simd::fused;
  using simd::larger;
  using Constants = ExponentialConstants<T>;
  using Format = simd::Format<T>;
  const V clamped = larger(V(Constants::lowest), x);
  const V shifted = fused(clamped, V(Constants::log2_e), V(Constants::rounder));
  const V minus_n = V(Constants::rounder) - shifted;
  const V r = fused(minus_n, V(Format::ln2_low), fused(minus_n, V(Format::ln2_high), clamped));
  V series = V(Constants::series(Constants::degree));
  ATTEST_UNROLL
  for (int j = Constants::degree - 1; j >= 2; --j) series = fused(series, r, V(Constants::series(j)));
  return {shifted, r, series};
}

/// exp(x) for V = T or a register of T.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline V exponential_steps(V x) {
  using simd::fused;
  const ExponentialParts<V> p = exponential_parts<T>(x);
  const V one(T(1));
  return fused(fused(p.series, p.r, one), p.r, one) * simd::power_of_two<T>(p.shifted);
}

/// exp(x) - 1 for V = T or a register of T, without loss near 0.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline V exponential_minus_one_steps(V x) {
  using simd::fused;
  const ExponentialParts<V> p = exponential_parts<T>(x);
  const V power = simd::power_of_two<T>(p.shifted);
  return fused(power, fused(p.r * p.r, p.series, p.r), power - V(T(1)));
}

/// exp(x) for x <= 700 with relative error below 2^-51 where x >= -708, free of branches so that loops over it
/// vectorise, with the same bits on every target. Below -709.1, also at -infinity, the result is exactly 0 (the true
/// value is under 1e-307); NaN gives NaN; above 700 the result is unspecified.
ATTEST_HOST_DEVICE inline double exponential(double x) { return exponential_steps<double>(x); }

/// The same in single precision: x <= 80, relative error below 2^-22 where x >= -87, exactly 0 below -88.1.
ATTEST_HOST_DEVICE inline float exponential(float x) { return exponential_steps<float>(x); }

/// exp(x) - 1 for x <= 700, relative error below 2^-50 everywhere; -1 at -infinity.
ATTEST_HOST_DEVICE inline double exponential_minus_one(double x) { return exponential_minus_one_steps<double>(x); }

/// The same in single precision: x <= 80, relative error below 2^-21.
ATTEST_HOST_DEVICE inline float exponential_minus_one(float x) { return exponential_minus_one_steps<float>(x); }

}  // namespace attest::elementary
