// Positional vectors.
#pragma once

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Sinusoidal positions [N][d]: p(i, 2t) = sin(x/T^(2t/d)), p(i, 2t+1) = cos(x/T^(2t/d)), t = 0..d/2-1, with
/// x = first + i ("Revisiting Transformers with Insights from Image Filtering and Boosting", Eq 2.5; T = 10000 there).
/// T is float or double, evaluated in double. Errors: std::invalid_argument unless d is even and above 0, N is not
/// negative and the base is above 0.
template <typename T>
Tensor<T> sinusoidal_positions(Index tokens, Index dim, Index first = 0, double base = 10000);

/// x + p for every sequence (Eq 2.6): x [B][N][C], p [N][C], which may be learned. Precondition: extents fit.
template <typename T>
Tensor<T> add_positions(const Tensor<T>& x, const Tensor<T>& p);

/// Gradient of sum(add_positions(x, p) * dout) with respect to p: the sum of dout over sequences, in double; that of x
/// is dout.
template <typename T>
Tensor<T> positions_gradient(const Tensor<T>& dout);

}  // namespace attest::attention
