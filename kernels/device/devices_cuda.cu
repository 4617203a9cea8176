#include <cuda_runtime_api.h>

#include "kernels/device/devices.hpp"

namespace attest::device {

CudaDevices cuda_devices() {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess)
    return {{}, std::string("no CUDA device can be used: ") + cudaGetErrorString(status)};
  CudaDevices found;
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, index); status != cudaSuccess) {
      found.absence = std::string("a CUDA device cannot be described: ") + cudaGetErrorString(status);
      continue;
    }
    found.devices.push_back({index, properties.name, properties.major, properties.minor, properties.totalGlobalMem});
  }
  if (found.devices.empty() && found.absence.empty()) found.absence = "this machine has no CUDA device";
  return found;
}

}  // namespace attest::device
