// The option --device.
#pragma once

#include <stdexcept>
#include <string>

namespace attest::terminal {

/// A device that was asked for and cannot be used.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether `device` is "cuda" rather than "cpu". Errors: std::invalid_argument for another word; DeviceError for "cuda"
/// where the build or the machine has none, saying which.
bool is_cuda(const std::string& device);

}  // namespace attest::terminal
