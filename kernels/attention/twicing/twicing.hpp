// Twicing attention (2A - A^2) V in two passes of attention, never forming A.
#pragma once

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/attend/attend_view.hpp"

namespace attest::attention {

/// What the forward pass of twicing gives and its backward pass needs again.
template <typename T>
struct Twiced {
  Tensor<T> out;                  ///< A V + A (V - A V), [B][H][N][D_v]
  Tensor<T> smoothed;             ///< A V, [B][H][N][D_v]
  Tensor<T> largest, normaliser;  ///< as in Attended, [B][H][N]
};

/// A V + A (V - A V), evaluated as A (2V - A V), with the same masked, normalised (and dropped-out) A in both passes
/// ("Transformer Meets Twicing", Definition 2 and Remark 3). Options and errors as attend; std::invalid_argument also
/// when the numbers of queries and keys differ.
template <typename T>
Twiced<T> twicing(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options);

/// Gradients of sum(out * dout). With U = A V and W = 2V - U, a first pass over the tiles gives dW = A^T dout = -dU,
/// and a second everything else: dA = dU V^T + dout W^T for q, k and the bias, and A^T dU, to which V adds 2 dW.
template <typename T>
AttendGradients<T> twicing_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                    const AttendOptions<T>& options, const Twiced<T>& twiced, const Tensor<T>& dout);

/// The same by calls of `attend` alone, which run where `options.device` says; `twicing` and `twicing_backward` take
/// them off the CPU and where the tiles do not know an option (attend_rows.hpp). With U = A V and W = 2V - U: dW = A^T
/// dout = -dU, and the gradients of both calls add.
template <typename T>
Twiced<T> twicing_by_calls(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options);
template <typename T>
AttendGradients<T> twicing_by_calls_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                             const AttendOptions<T>& options, const Twiced<T>& twiced,
                                             const Tensor<T>& dout);

/// The same on memory that somebody else owns; `largest` and `normaliser` are [B][H][N] without gaps.
template <typename T>
void twicing_view(const AttendProblem<T>& problem, HeadsView<T> out, HeadsView<T> smoothed, T* largest, T* normaliser);
template <typename T>
void twicing_backward_view(const AttendProblem<T>& problem, HeadsView<const T> out, HeadsView<const T> smoothed,
                           const T* largest, const T* normaliser, HeadsView<const T> dout,
                           const AttendGradientViews<T>& gradients);

}  // namespace attest::attention
