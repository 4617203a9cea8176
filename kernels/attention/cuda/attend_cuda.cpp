#include "kernels/attention/attend/attend_cuda.hpp"

#include "kernels/attention/attend/attend_problem.hpp"
#include "kernels/attention/cuda/on_device.hpp"
#include "kernels/device/devices.hpp"

namespace attest::attention {
namespace {

void require_device() {
  if (const device::CudaDevices found = device::cuda_devices(); found.devices.empty())
    throw CudaError("attention on CUDA: " + found.absence);
}

// run(type) for the type that stands for the storage.
template <typename T, typename Run>
auto with_storage(CudaStorage storage, const Run& run) {
  require_device();
  if constexpr (std::is_same_v<T, float>) {
    if (storage == CudaStorage::half) return run(Half{});
    if (storage == CudaStorage::bfloat16) return run(Bfloat16{});
  } else if (storage != CudaStorage::as_given) {
    throw std::invalid_argument("attend_cuda: half and bfloat16 storage are for arrays of float, but these are double");
  }
  return run(T{});
}

}  // namespace

template <typename T>
Attended<T> attend_cuda(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options,
                        CudaStorage storage) {
  checked_problem(q, k, v, options);
  return with_storage<T>(storage, [&]<typename S>(S) { return attend_on_device<S>(q, k, v, options); });
}

template <typename T>
AttendGradients<T> attend_backward_cuda(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                        const AttendOptions<T>& options, const Attended<T>& attended,
                                        const Tensor<T>& dout, CudaStorage storage) {
  require_backward_shapes(checked_problem(q, k, v, options), attended, dout);
  return with_storage<T>(storage,
                         [&]<typename S>(S) { return attend_backward_on_device<S>(q, k, v, options, attended, dout); });
}

#define ATTEST_INSTANTIATE(T)                                                                                     \
  template Attended<T> attend_cuda(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const AttendOptions<T>&, \
                                   CudaStorage);                                                                  \
  template AttendGradients<T> attend_backward_cuda(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,          \
                                                   const AttendOptions<T>&, const Attended<T>&, const Tensor<T>&, \
                                                   CudaStorage);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
