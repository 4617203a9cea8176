#include "kernels/device/devices.hpp"

namespace attest::device {

CudaDevices cuda_devices() {
  return {{}, "this build has no CUDA component: install the CUDA toolkit, then configure again with -DATTEST_CUDA=ON"};
}

}  // namespace attest::device
