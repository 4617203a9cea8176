#include "kernels/attention/attend/attend_cuda.hpp"

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

class AttendCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto found = device::cuda_devices(); found.devices.empty()) GTEST_SKIP() << found.absence;
  }
};

template <typename T>
void expect_agreement_with_cpu(const TestProblem<T>& p, CudaStorage storage, double bound) {
  const auto cpu = attend(p.q, p.k, p.v, p.options);
  const auto cpu_gradients = attend_backward(p.q, p.k, p.v, p.options, cpu, p.dout);
  const auto gpu = attend_cuda(p.q, p.k, p.v, p.options, storage);
  const auto gpu_gradients = attend_backward_cuda(p.q, p.k, p.v, p.options, gpu, p.dout, storage);
  EXPECT_LE(relative_error(gpu.out, converted<double>(cpu.out)), bound);
  EXPECT_LE(relative_error(gpu_gradients.q, converted<double>(cpu_gradients.q)), bound) << "dq";
  EXPECT_LE(relative_error(gpu_gradients.k, converted<double>(cpu_gradients.k)), bound) << "dk";
  EXPECT_LE(relative_error(gpu_gradients.v, converted<double>(cpu_gradients.v)), bound) << "dv";
  EXPECT_LE(relative_error(gpu_gradients.bias, converted<double>(cpu_gradients.bias)), bound) << "dbias";
}

const Extents shapes[] = {{1, 1, 1, 1, 1, 1},     {2, 2, 3, 5, 4, 6},       {1, 3, 17, 16, 20, 32},
                          {2, 2, 64, 64, 32, 32}, {1, 2, 257, 130, 64, 64}, {1, 1, 70, 257, 128, 16}};

TEST_F(AttendCuda, agrees_with_the_cpu_in_double) {
  for (const Extents& e : shapes) {
    auto p = random_problem<double>(e, 1);
    expect_agreement_with_cpu(p, CudaStorage::as_given, stated_error<double>);
    turn_everything_on(p, 2);
    expect_agreement_with_cpu(p, CudaStorage::as_given, stated_error<double>);
  }
}

TEST_F(AttendCuda, agrees_with_the_cpu_in_float) {
  for (const Extents& e : shapes) {
    auto p = random_problem<float>(e, 3);
    expect_agreement_with_cpu(p, CudaStorage::as_given, 2 * stated_error<float>);  // both sides err
    turn_everything_on(p, 4);
    expect_agreement_with_cpu(p, CudaStorage::as_given, 2 * stated_error<float>);
  }
}

TEST_F(AttendCuda, agrees_with_the_cpu_through_tensor_cores) {
  for (const auto& [storage, bound] :
       {std::pair(CudaStorage::half, half_error), std::pair(CudaStorage::bfloat16, bfloat16_error)})
    for (const Extents& e : shapes) {
      auto p = random_problem<float>(e, 5);
      if (e.keys == 1) continue;  // dq vanishes: nothing for a relative error to be relative to
      expect_agreement_with_cpu(p, storage, bound);
      turn_everything_on(p, 6);
      expect_agreement_with_cpu(p, storage, bound);
    }
}

// The gradient of a dense bias is made by other kernels than the other gradients.
TEST_F(AttendCuda, agrees_with_the_cpu_through_tensor_cores_without_a_bias) {
  for (const auto& [storage, bound] :
       {std::pair(CudaStorage::half, half_error), std::pair(CudaStorage::bfloat16, bfloat16_error)})
    for (const Extents& e : {Extents{1, 2, 257, 130, 64, 64}, {1, 1, 70, 257, 128, 16}, {2, 1, 300, 300, 40, 72}}) {
      auto p = random_problem<float>(e, 11);
      p.options.mask.causal = true;
      expect_agreement_with_cpu(p, storage, bound);
      turn_everything_on(p, 12);
      p.options.bias.dense = {};
      expect_agreement_with_cpu(p, storage, bound);
    }
}

TEST_F(AttendCuda, has_the_same_bits_on_every_run) {
  auto p = random_problem<float>({2, 2, 200, 150, 32, 32}, 7);
  for (const CudaStorage storage : {CudaStorage::as_given, CudaStorage::bfloat16}) {
    const auto first = attend_cuda(p.q, p.k, p.v, p.options, storage);
    const auto again = attend_cuda(p.q, p.k, p.v, p.options, storage);
    EXPECT_EQ(first.out, again.out);
    EXPECT_EQ(attend_backward_cuda(p.q, p.k, p.v, p.options, first, p.dout, storage).k,
              attend_backward_cuda(p.q, p.k, p.v, p.options, again, p.dout, storage).k);
  }
}

TEST_F(AttendCuda, says_what_does_not_fit) {
  const auto p = random_problem<double>({1, 1, 4, 4, 4096, 4}, 8);
  EXPECT_THROW(attend_cuda(p.q, p.k, p.v, p.options), CudaError);
}

TEST(AttendCudaWithoutDevice, says_why_there_is_none) {
  if (!device::cuda_devices().devices.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  const auto p = random_problem<float>({1, 1, 2, 2, 2, 2}, 9);
  try {
    attend_cuda(p.q, p.k, p.v, p.options);
    FAIL() << "no error";
  } catch (const CudaError& error) {
    EXPECT_EQ(error.what(), "attention on CUDA: " + device::cuda_devices().absence);
  }
}

TEST(AttendCudaArguments, are_checked_before_the_device_is_asked) {
  const auto p = random_problem<float>({1, 1, 2, 2, 2, 2}, 10);
  EXPECT_THROW(attend_cuda(p.q, Tensor<float>({2, 2}), p.v, p.options), std::invalid_argument);
}

}  // namespace
}  // namespace attest::attention
