// The passes on a device where the build has no CUDA component: attend_cuda has said so before it comes here, and the
// views say it themselves.
#include "kernels/attention/cuda/drop_entries.hpp"
#include "kernels/attention/cuda/on_device.hpp"
#include "kernels/device/devices.hpp"

namespace attest::attention {
namespace {

[[noreturn]] void refuse() { throw CudaError("attention on CUDA: " + device::cuda_devices().absence); }

}  // namespace

template <typename S>
void attend_cuda_view(const CudaAttendProblem<S>&, HeadsView<S>, typename CudaAccumulator<S>::Type*,
                      typename CudaAccumulator<S>::Type*) {
  refuse();
}

template <typename S>
void attend_backward_cuda_view(const CudaAttendProblem<S>&, HeadsView<const S>,
                               const typename CudaAccumulator<S>::Type*, const typename CudaAccumulator<S>::Type*,
                               HeadsView<const S>, const CudaGradients<S>&) {
  refuse();
}

template <typename S, typename T>
Attended<T> attend_on_device(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const AttendOptions<T>&) {
  refuse();
}

template <typename S, typename T>
AttendGradients<T> attend_backward_on_device(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,
                                             const AttendOptions<T>&, const Attended<T>&, const Tensor<T>&) {
  refuse();
}

template <typename S>
void drop_entries_cuda(const S*, S*, Index, const Dropout&, const std::uint64_t*, void*) {
  refuse();
}

template void drop_entries_cuda(const float*, float*, Index, const Dropout&, const std::uint64_t*, void*);
template void drop_entries_cuda(const Half*, Half*, Index, const Dropout&, const std::uint64_t*, void*);
template void drop_entries_cuda(const Bfloat16*, Bfloat16*, Index, const Dropout&, const std::uint64_t*, void*);

#define ATTEST_INSTANTIATE(S, T)                                                                                 \
  template void attend_cuda_view(const CudaAttendProblem<S>&, HeadsView<S>, T*, T*);                             \
  template void attend_backward_cuda_view(const CudaAttendProblem<S>&, HeadsView<const S>, const T*, const T*,   \
                                          HeadsView<const S>, const CudaGradients<S>&);                          \
  template Attended<T> attend_on_device<S>(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,                 \
                                           const AttendOptions<T>&);                                             \
  template AttendGradients<T> attend_backward_on_device<S>(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                           const AttendOptions<T>&, const Attended<T>&,          \
                                                           const Tensor<T>&);
ATTEST_INSTANTIATE(float, float)
ATTEST_INSTANTIATE(double, double)
ATTEST_INSTANTIATE(Half, float)
ATTEST_INSTANTIATE(Bfloat16, float)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
