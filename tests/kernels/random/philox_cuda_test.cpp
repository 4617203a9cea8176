// Device code gives Random123's known answers: compiled with every build that has CUDA, run where there is a device.
#include "tests/kernels/random/philox_cuda.hpp"

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "tests/kernels/random/philox_known_answers.hpp"

namespace attest::random {
namespace {

TEST(PhiloxCuda, agrees_with_the_published_known_answers) {
  if (const auto found = device::cuda_devices(); found.devices.empty()) GTEST_SKIP() << found.absence;
  const auto answers = known_answers_on_cuda();
  ASSERT_EQ(answers.size(), philox_known_answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i], philox_known_answers[i].out);
}

}  // namespace
}  // namespace attest::random
