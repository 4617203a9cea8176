#include "kernels/device/devices.hpp"
#include "kernels/streamed/perturbation_cuda.hpp"

namespace attest::streamed {

std::vector<PerturbationSums> perturbation_sums_on_cuda(const CudaPerturbation& /*at*/, std::uint64_t /*first_sample*/,
                                                        std::uint64_t /*samples*/) {
  throw CudaFailure(device::cuda_devices().absence);
}

}  // namespace attest::streamed
