// Elementary functions with the same bits on every compiler, C library and device: arithmetic, sqrt and explicit fma
// only.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace attest::random {

/// log(x) for a positive, finite, normal x. Error: below 2 ulp of the result for x outside (0.7, 1.42), and below
/// 2^-52 |x - 1| inside, so that it is exactly 0 at 1.
///
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.1716, by its series:
/// the first term left out is 2 s^23 / 23 < 3e-19 |s|.
inline double log_positive(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  // The bit pattern of sqrt(1/2), rounded: subtracting it moves the carry into the exponent where m would reach
  // sqrt(2).
  constexpr std::uint64_t root_half = 0x3FE6A09E00000000;
  const auto exponent = static_cast<std::int64_t>(bits - root_half) >> 52;
  const auto m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double series = 1.0 / 21;
  for (const double k : {19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0}) series = std::fma(series, s2, 1.0 / k);
  // log m = 2 s + 2 s^3 (1/3 + s^2/5 + ...). With f = m - 1, which is exact, 2 s = f - s f, so that the large part
  // carries no rounding error of the quotient.
  const double f = m - 1.0;
  const double small = s * (2.0 * s2 * series - f);
  const auto e = static_cast<double>(exponent);
  constexpr double ln2_high = 0x1.62e42fee00000p-1;  // The first 33 bits of log 2: exact times any exponent.
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;  // The rest.
  return std::fma(e, ln2_high, f + std::fma(e, ln2_low, small));
}

/// exp(x) for |x| <= 700. Relative error below 2^-51.
///
/// x = k log 2 + r with |r| <= log(2)/2; exp r by its Taylor series, whose first term left out is r^14 / 14! < 5e-18.
inline double exp_moderate(double x) {
  // Adding 1.5 2^52 rounds to an integer and leaves it in the low bits, in two's complement: no conversion, so loops
  // over this function vectorise.
  const double shifted = std::fma(x, 0x1.71547652b82fep+0, 0x1.8p52);
  const double k = shifted - 0x1.8p52;
  const double r = std::fma(-k, 0x1.a39ef35793c76p-33, std::fma(-k, 0x1.62e42fee00000p-1, x));
  double series = 1.0;
#pragma GCC unroll 12  // A loop inside would keep an outer loop from vectorising.
  for (int j = 13; j >= 2; --j) series = std::fma(series * r, 1.0 / j, 1.0);
  const double value = std::fma(series, r, 1.0);
  return value * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

/// cos(2 pi u) for u in (0, 1). Absolute error below 2^-52.
inline double cos_two_pi(double u) {
  // cos(2 pi u) = -cos(2 pi (u - 1/2)) is even in d = |u - 1/2|; then the sine of the distance to the zero at d = 1/4.
  const double d = std::fabs(u - 0.5);
  const bool near_zero = std::fabs(d - 0.25) <= 0.125;
  const double turn = near_zero ? d - 0.25 : (d > 0.25 ? 0.5 - d : d);
  const double x = 0x1.921fb54442d18p+2 * turn;  // 2 pi turn, |x| <= pi / 4.
  const double x2 = x * x;
  if (near_zero) {
    double series = 1.0;
    for (const double j : {16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0}) {
      series = std::fma(-x2 / (j * (j + 1.0)), series, 1.0);
    }
    return x * series;
  }
  double series = 1.0;
  for (const double j : {15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0}) {
    series = std::fma(-x2 / (j * (j + 1.0)), series, 1.0);
  }
  return d > 0.25 ? series : -series;
}

}  // namespace attest::random
