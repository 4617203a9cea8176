// Average pooling of tokens, and heads of an array one at a time.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// What becomes of tokens that fill no whole window: they are averaged over their own number, or left out.
enum class Remainder { ceil, floor };

/// Number of windows over `tokens` tokens.
Index pooled_length(Index tokens, Index factor, Remainder remainder);

/// Averages of `factor` successive tokens, stride = factor, of x [B][H][N][D]: [B][H][pooled_length(N)][D]. `lengths`
/// [B] are the real tokens of each sequence (empty: all); a window averages the real tokens in it, a window without any
/// is 0. Sums are in double. Errors: std::invalid_argument when the factor is below 1 or no window is left.
template <typename T>
Tensor<T> average_pool(const Tensor<T>& x, Index factor, Remainder remainder, const std::vector<Index>& lengths);

/// Gradient of sum(average_pool(x) * dout), in the shape [B][H][tokens][D] of x.
template <typename T>
Tensor<T> average_pool_backward(Index tokens, Index factor, Remainder remainder, const std::vector<Index>& lengths,
                                const Tensor<T>& dout);

/// Head h of [B][H][N][D] as [B][1][N][D].
template <typename T>
Tensor<T> head_of(const Tensor<T>& x, Index h);
/// Writes [B][1][N][D] into head h of `x`.
template <typename T>
void put_head(Tensor<T>& x, Index h, const Tensor<T>& part);

}  // namespace attest::attention
