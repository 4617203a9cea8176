#include "simulations/terminal/device_choice.hpp"

#include <fmt/format.h>

#include "kernels/device/devices.hpp"

namespace attest::terminal {

bool is_cuda(const std::string& device) {
  if (device == "cpu") return false;
  if (device != "cuda") throw std::invalid_argument(fmt::format("unknown device '{}': use cpu or cuda", device));
  const device::CudaDevices found = device::cuda_devices();
  if (found.devices.empty()) throw DeviceError(fmt::format("--device cuda: {}; use --device cpu", found.absence));
  return true;
}

}  // namespace attest::terminal
