// What one observation adds to a kernel smoother's sums: one definition for scalars, SIMD lanes and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/elementary/exponential.hpp"

namespace attest::regression {

/// K on the line: exp(-u^2/2)/sqrt(2 pi), 3/4 (1 - u^2) on [-1, 1], 1/2 on [-1, 1].
enum class SmoothingKernel : std::uint8_t { gaussian, epanechnikov, uniform };

/// The regression function m: exp(-X^2/2) or exp(X).
enum class SmoothedCurve : std::uint8_t { bump, exponential };

/// K and K*K at u.
template <typename V>
struct KernelPair {
  V plain, convolved;
};

template <typename V>
ATTEST_HOST_DEVICE inline KernelPair<V> kernel_pair_steps(SmoothingKernel kernel, V u) {
  using simd::if_less;
  const V zero(0.0), one(1.0), two(2.0), distance = simd::magnitude<double>(u), square = u * u;
  const V left = two - distance;  // what is left of the reach of K*K, of the compact kernels
  switch (kernel) {
    case SmoothingKernel::epanechnikov: {
      const V convolved = V(3.0 / 160) * (left * left * left) * (square + V(6.0) * distance + V(4.0));
      return {if_less(distance, one, V(0.75) * (one - square), zero), if_less(distance, two, convolved, zero)};
    }
    case SmoothingKernel::uniform:
      return {if_less(distance, one, V(0.5), zero), if_less(distance, two, V(0.25) * left, zero)};
    default: {
      // K*K is the normal density of variance 2, and the square of its exponential that of K.
      const V root = elementary::exponential_steps<double>(V(-0.25) * square);
      return {V(0x1.9884533d43651p-2) * (root * root), V(0x1.20dd750429b6dp-2) * root};
    }
  }
}

template <typename V>
ATTEST_HOST_DEVICE inline V curve_steps(SmoothedCurve curve, V x) {
  return elementary::exponential_steps<double>(curve == SmoothedCurve::bump ? V(-0.5) * (x * x) : x);
}

/// Terms of the sums of w, w (m(X) - m(x)) and w^2, for the weights w of K and then of 2K - K*K.
enum SmootherRow { plain_weight, plain_error, plain_square, twiced_weight, twiced_error, twiced_square, smoother_rows };

/// Adds an observation at X = x + h u to the rows. `at_x` = m(x).
template <typename V>
ATTEST_HOST_DEVICE inline void add_observation(SmoothingKernel kernel, SmoothedCurve curve, V position, V u,
                                               double at_x, V* rows) {
  using simd::fused;
  const KernelPair<V> k = kernel_pair_steps(kernel, u);
  const V twiced = V(2.0) * k.plain - k.convolved, difference = curve_steps(curve, position) - V(at_x);
  rows[plain_weight] = rows[plain_weight] + k.plain;
  rows[plain_error] = fused(k.plain, difference, rows[plain_error]);
  rows[plain_square] = fused(k.plain, k.plain, rows[plain_square]);
  rows[twiced_weight] = rows[twiced_weight] + twiced;
  rows[twiced_error] = fused(twiced, difference, rows[twiced_error]);
  rows[twiced_square] = fused(twiced, twiced, rows[twiced_square]);
}

}  // namespace attest::regression
