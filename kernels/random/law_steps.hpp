// From words to draws of the laws: one definition for scalars, SIMD lanes and CUDA threads.
#pragma once

#include <numbers>

#include "kernels/elementary/exponential.hpp"
#include "kernels/elementary/logarithm.hpp"
#include "kernels/elementary/sine_cosine.hpp"

namespace attest::random {

/// Uniform on the midpoints of 2^52 (double, from the highest bits of 64) or 2^23 (float, of 32) equal cells of (0, 1):
/// with the bits below the exponent of 1 it is a number of [1, 2); taking 1 less half a cell from it is exact.
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V unit_steps(Bits word) {
  using Format = simd::Format<T>;
  constexpr int unused = static_cast<int>(8 * sizeof(T)) - Format::mantissa_bits;
  constexpr T half_cell = T(0.5) / static_cast<T>(typename Format::Bits{1} << Format::mantissa_bits);
  return simd::from_bits<V>((word >> unused) | Format::one) - V(T(1) - half_cell);
}

/// Uniform on (0, 1], fine near 0, for logarithms: as unit_steps (double); (word >> 1 | 1) 2^-31, rounded to nearest
/// (float), whose cells near 0 are 256 times finer than those of unit_steps.
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V fine_unit_steps(Bits word) {
  if constexpr (sizeof(T) == 8) {
    return unit_steps<T, V>(word);
  } else {
    using simd::set_whole;
    V whole;
    set_whole(whole, (word >> 1) | 1U);
    return whole * V(T(0x1p-31));
  }
}

/// Two draws per lane.
template <typename V>
struct DrawPair {
  V first, second;
};

/// Two independent standard normals: sqrt(-2 log u) (cos 2 pi v, sin 2 pi v). Source: G. E. P. Box, M. E. Muller,
/// A note on the generation of random normal deviates (1958).
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline DrawPair<V> normal_pair_steps(Bits first, Bits second) {
  using simd::square_root;
  const V log_u = elementary::logarithm_steps<T>(fine_unit_steps<T, V>(first));
  const V radius = square_root(V(T(-2)) * log_u);
  const auto point = elementary::circle_point_steps<T>(unit_steps<T, V>(second));
  return {radius * point.cosine, radius * point.sine};
}

/// +1 or -1 by the highest bit.
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V rademacher_steps(Bits word) {
  using Format = simd::Format<T>;
  return simd::from_bits<V>((~word & Format::sign) | Format::one);
}

/// Uniform on (-sqrt(3), sqrt(3)).
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V uniform_steps(Bits word) {
  return V(T(2) * std::numbers::sqrt3_v<T>) * (unit_steps<T, V>(word) - V(T(0.5)));
}

/// Density exp(-sqrt(2) |x|) / sqrt(2). The lowest bit, which the magnitude does not use, gives the sign.
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V laplace_steps(Bits word) {
  using simd::to_bits;
  const V magnitude = elementary::logarithm_steps<T>(fine_unit_steps<T, V>(word)) / V(-std::numbers::sqrt2_v<T>);
  constexpr int top = static_cast<int>(8 * sizeof(T)) - 1;
  return simd::from_bits<V>(to_bits(magnitude) ^ (~word << top));
}

/// Student's t with nu degrees of freedom over sqrt(nu / (nu - 2)), from two words. R. W. Bailey, "Polar generation of
/// random variates with the t-distribution", Mathematics of Computation 62 (1994): sqrt(nu (U^(-2/nu) - 1))
/// cos(2 pi V) has Student's distribution with nu degrees of freedom, for every nu > 0.
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V student_steps(Bits first, Bits second, T nu) {
  using simd::square_root;
  const V exponent = V(T(-2) / nu) * elementary::logarithm_steps<T>(fine_unit_steps<T, V>(first));
  const V growth = elementary::exponential_minus_one_steps<T>(exponent);
  const V radius = square_root(V(nu - T(2)) * growth);
  return radius * elementary::circle_point_steps<T>(unit_steps<T, V>(second)).cosine;
}

/// +-1/sqrt(p) with probability p/2 each, else 0.
template <typename T, typename V, typename Bits>
ATTEST_HOST_DEVICE inline V sparse_steps(Bits word, T p) {
  using simd::if_less;
  using simd::square_root;
  const V u = unit_steps<T, V>(word);
  const T size = T(1) / square_root(p);
  return if_less(u, V(p), if_less(u, V(T(0.5) * p), V(-size), V(size)), V(T(0)));
}

}  // namespace attest::random
