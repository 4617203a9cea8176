// Twicing with the weights of linear attention.
#pragma once

#include <memory>

#include "kernels/attention/linear/linear.hpp"

namespace attest::attention {

struct LinearTwicingRun;  // what is kept for the backward pass

template <typename T>
struct LinearTwiced {
  Tensor<T> out;  ///< [B][H][N][D_v]
  std::shared_ptr<const LinearTwicingRun> run;
};

/// A v + A (v - A v) = A w, w = 2 v - A v, with A the weights of linear_attend (Twicing Eq 19, Table 6), each product
/// in linear time. In double for both types: the gradients of A nearly cancel where A is nearly the identity. Time and
/// memory of two linear attentions, and [B][H][N][D_v] doubles. Errors: those of linear_attend. Precondition: as many
/// queries as keys.
template <typename T>
LinearTwiced<T> linear_twicing(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                               const LinearOptions& options);

/// Gradients of sum(out * dout).
template <typename T>
LinearGradients<T> linear_twicing_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                           const LinearOptions& options, const LinearTwiced<T>& twiced,
                                           const Tensor<T>& dout);

}  // namespace attest::attention
