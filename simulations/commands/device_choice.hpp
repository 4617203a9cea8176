// The option --device.
#pragma once

#include <stdexcept>
#include <string>

namespace attest::commands {

/// A device that was asked for and cannot be used.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Accepts "cpu". Errors: std::invalid_argument for an unknown word; DeviceError for "cuda", saying whether the build,
/// the machine or what is to run there (`worker`: "check") lacks it.
void require_device(const std::string& device, const std::string& worker);

}  // namespace attest::commands
