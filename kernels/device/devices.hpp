// The accelerators that this build can see.
#pragma once

#include <string>
#include <vector>

namespace attest::device {

/// One CUDA device as the driver describes it.
struct CudaDevice {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory_bytes = 0;
};

/// What asking for CUDA devices brought: the devices, or why there are none.
struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string absence;  ///< one sentence when `devices` is empty
};

/// Lists the CUDA devices. Never throws: a build without CUDA, a missing driver and a machine without a device are all
/// sentences in `absence`.
CudaDevices cuda_devices();

}  // namespace attest::device
