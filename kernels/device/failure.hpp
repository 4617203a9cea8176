// What every call of a device's kernels throws when the device fails it.
#pragma once

#include <stdexcept>

namespace attest::device {

/// A CUDA device that is absent, too small or failing; the message says which.
class CudaFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace attest::device
