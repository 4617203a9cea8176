#include "simulations/training/devices.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace attest::training {
namespace {

/// Which of the CUDA devices; one per process.
std::atomic<int> cuda_index = 0;

/// With deterministic algorithms LibTorch 2.2 and newer fills fresh memory with NaN, a kernel for each result, so that
/// whoever reads it before writing is found; here every result is written.
template <typename Context>
void leave_fresh_memory(Context& context) {
  if constexpr (requires { context.setDeterministicFillUninitializedMemory(false); })
    context.setDeterministicFillUninitializedMemory(false);
}

}  // namespace

void require_device(const TrainingSpec& training) {
  if (training.device == TrainingSpec::Device::cpu || at::hasCUDA()) return;
  throw std::runtime_error(
      "training.device is cuda, but the LibTorch here is a build for processors alone or finds no device; leave "
      "--device out, or configure with -DTorch_DIR=FOLDER/share/cmake/Torch of a CUDA build");
}

at::Device device_of(const TrainingSpec& training) {
  if (training.device == TrainingSpec::Device::cpu) return {at::kCPU};
  return {at::kCUDA, static_cast<at::DeviceIndex>(cuda_index)};
}

models::ForwardPass pass_of(const TrainingSpec& training) {
  models::ForwardPass pass;
  pass.by_operations = training.operations;
  if (training.precision == TrainingSpec::Precision::bfloat16) pass.products = at::kBFloat16;
  return pass;
}

void use_device(const TrainingSpec& training, int number) {
  if (training.device == TrainingSpec::Device::cpu) return;
  require_device(training);
  cuda_index = number % static_cast<int>(at::getNumGPUs());
  // cuBLAS repeats its bits with a workspace of fixed size alone; operations without such a form are let pass.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  at::globalContext().setDeterministicAlgorithms(true, true);
  leave_fresh_memory(at::globalContext());
}

}  // namespace attest::training
