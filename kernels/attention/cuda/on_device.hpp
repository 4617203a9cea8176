// The passes over host arrays by type of storage, defined in one CUDA file per type.
#pragma once

#include "kernels/attention/attend/attend_cuda.hpp"

namespace attest::attention {

/// attend_cuda and attend_backward_cuda for S = float, double, Half or Bfloat16 on the device. Nothing is checked but
/// what CUDA reports.
template <typename S, typename T>
Attended<T> attend_on_device(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                             const AttendOptions<T>& options);
template <typename S, typename T>
AttendGradients<T> attend_backward_on_device(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                             const AttendOptions<T>& options, const Attended<T>& attended,
                                             const Tensor<T>& dout);

}  // namespace attest::attention
