#include "simulations/commands/device_choice.hpp"

#include <fmt/format.h>

#include "kernels/device/devices.hpp"

namespace attest::commands {

void require_device(const std::string& device, const std::string& worker) {
  if (device == "cpu") return;
  if (device != "cuda") throw std::invalid_argument(fmt::format("unknown device '{}': use cpu or cuda", device));
  const device::CudaDevices found = device::cuda_devices();
  if (found.devices.empty()) throw DeviceError(fmt::format("--device cuda: {}; use --device cpu", found.absence));
  throw DeviceError(fmt::format("--device cuda: no {} runs there in this version; use --device cpu", worker));
}

}  // namespace attest::commands
