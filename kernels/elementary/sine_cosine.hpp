// cos(2 pi u) and sin(2 pi u): one definition for scalars, SIMD lanes and CUDA threads.
#pragma once

#include "kernels/simd/scalar.hpp"

namespace attest::elementary {

/// What the steps need to know of a floating-point type: cos x = 1 - x^2/2 + x^4 (c_0 + c_1 x^2 + ...) and
/// sin x = x + x^3 (s_0 + s_1 x^2 + ...) by the best polynomials on |x| <= pi/4, within 2^-57 (double), 2^-27 (float).
template <typename T>
struct CircleConstants;

template <>
struct CircleConstants<double> {
  static constexpr int terms = 6;
  static constexpr double two_pi = 0x1.921fb54442d18p+2;
  ATTEST_HOST_DEVICE static constexpr double cosine(int k) {
    constexpr double c[] = {0x1.5555555555555p-5,   -0x1.6c16c16c168ccp-10, 0x1.a01a019f38afap-16,
                            -0x1.27e4fa036d38fp-22, 0x1.1eeb58509df49p-29,  -0x1.9073d4444af1ap-37};
    return c[k];
  }
  ATTEST_HOST_DEVICE static constexpr double sine(int k) {
    constexpr double c[] = {-0x1.5555555555548p-3, 0x1.111111110f75dp-7, -0x1.a01a019bf222ep-13,
                            0x1.71de355f05599p-19, -0x1.ae5e5471f55p-26, 0x1.5d8e3511cda5fp-33};
    return c[k];
  }
};

template <>
struct CircleConstants<float> {
  static constexpr int terms = 3;
  static constexpr float two_pi = 0x1.921fb6p+2F;
  ATTEST_HOST_DEVICE static constexpr float cosine(int k) {
    constexpr float c[] = {0x1.555554p-5F, -0x1.6c129ep-10F, 0x1.9bc76cp-16F};
    return c[k];
  }
  ATTEST_HOST_DEVICE static constexpr float sine(int k) {
    constexpr float c[] = {-0x1.555546p-3F, 0x1.110778p-7F, -0x1.9953fep-13F};
    return c[k];
  }
};

/// A point of the unit circle.
template <typename V>
struct CirclePoint {
  V cosine, sine;
};

/// (cos 2 pi u, sin 2 pi u) for u in (0, 1) and V = T or a register of T.
///
/// With u = 1/2 + e and d = |e|: cos 2 pi u = -cos 2 pi d, sin 2 pi u = -sign(e) sin 2 pi d; the rest is at most an
/// eighth of a turn from d = 0, 1/4 or 1/2, and that difference is exact.
template <typename T, typename V>
ATTEST_HOST_DEVICE inline CirclePoint<V> circle_point_steps(V u) {
  using simd::fused;
  using simd::if_less;
  using simd::to_bits;
  using Constants = CircleConstants<T>;
  using Format = simd::Format<T>;
  const V quarter(T(0.25)), half(T(0.5));
  const V e = u - half;
  const V d = simd::magnitude<T>(e);
  const V from_quarter = d - quarter;
  const V distance = simd::magnitude<T>(from_quarter);
  const V turn = if_less(V(T(0.125)), distance, if_less(quarter, d, half - d, d), from_quarter);
  const V x = V(Constants::two_pi) * turn;
  const V x2 = x * x;
  V cosine(Constants::cosine(Constants::terms - 1)), sine(Constants::sine(Constants::terms - 1));
  ATTEST_UNROLL
  for (int k = Constants::terms - 2; k >= 0; --k) {
    cosine = fused(cosine, x2, V(Constants::cosine(k)));
    sine = fused(sine, x2, V(Constants::sine(k)));
  }
  cosine = fused(x2, fused(x2, cosine, V(T(-0.5))), V(T(1)));
  sine = fused(x * x2, sine, x);
  // Near d = 1/4 sine and cosine change places.
  const V along = if_less(V(T(0.125)), distance, if_less(quarter, d, cosine, V(T(0)) - cosine), sine);
  const V across = if_less(V(T(0.125)), distance, sine, cosine);
  return {along, simd::from_bits<V>(to_bits(across) ^ (~to_bits(e) & Format::sign))};
}

/// For u in (0, 1): absolute errors below 3 2^-53 (double) and 3 2^-24 (float), to which the rounding of u - 1/2 adds
/// most.
ATTEST_HOST_DEVICE inline CirclePoint<double> circle_point(double u) { return circle_point_steps<double>(u); }
ATTEST_HOST_DEVICE inline CirclePoint<float> circle_point(float u) { return circle_point_steps<float>(u); }

}  // namespace attest::elementary
