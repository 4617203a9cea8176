// The sweeps' kernels where there is a device, and what they say where there is none.
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "kernels/device/failure.hpp"
#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"
#include "kernels/streams/pair_moments.hpp"
#include "kernels/streams/random_matrix_norms.hpp"

namespace attest::streams {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SweepsOnCuda, jacobian_norms_have_the_bits_of_the_processor) {
  const auto found = device::cuda_devices();
  if (found.devices.empty()) GTEST_SKIP() << "nothing was compared: " << found.absence;
  constexpr std::uint64_t n = 1'000'001;
  const softmax::StreamedPerturbation<double> equal(n, {random::Law::rademacher(), 0, 1, 1}, 2);
  const Noise logits{random::Law::laplace(), 2, 5, 1};
  EXPECT_EQ(softmax::jacobian_norm_on_cuda(n, logits, 3), equal.jacobian_norm(logits, 3, 2));
  EXPECT_EQ(softmax::largest_share_on_cuda(n, logits, 3), equal.largest_share(logits, 3, 2));
}

TEST(SweepsOnCuda, say_that_there_is_no_device) {
  if (!device::cuda_devices().devices.empty()) GTEST_SKIP() << "there is a device";
  const auto says_so = ThrowsMessage<device::CudaFailure>(HasSubstr("CUDA"));
  EXPECT_THAT([] { pair_moments_on_cuda(100, {}, {}, 0); }, says_so);
  EXPECT_THAT([] { regression::smoother_risks_on_cuda({.n = 100, .h = 0.1}); }, says_so);
  EXPECT_THAT([] { residual::scan_grc_on_cuda({}); }, says_so);
  EXPECT_THAT([] { gram_of_random_rows_on_cuda(10, 2, {}, 0); }, says_so);
  EXPECT_THAT([] { softmax::jacobian_norm_on_cuda(10, {}, 0); }, says_so);
}

TEST(SweepsOnCuda, refuse_what_the_processor_refuses_before_they_look_for_a_device) {
  EXPECT_THROW(softmax::jacobian_norm_on_cuda(1, {}, 0), std::invalid_argument);
  EXPECT_THROW(softmax::largest_share_on_cuda(1, {}, 0), std::invalid_argument);
  EXPECT_THROW(softmax::jacobian_norm_on_cuda(10, {random::Law::gaussian(), HUGE_VAL}, 0), std::invalid_argument);
  EXPECT_THROW(pair_moments_on_cuda(0, {}, {}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::streams
