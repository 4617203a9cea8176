#include "kernels/device/devices.hpp"

#include <gtest/gtest.h>

namespace attest::device {
namespace {

TEST(CudaDevices, are_listed_or_their_absence_is_explained) {
  const CudaDevices found = cuda_devices();
  EXPECT_NE(found.devices.empty(), found.absence.empty());
  for (const auto& device : found.devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GT(device.memory_bytes, 0U);
  }
}

}  // namespace
}  // namespace attest::device
