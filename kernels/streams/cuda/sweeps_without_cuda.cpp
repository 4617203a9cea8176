#include "kernels/device/devices.hpp"
#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/perturbation_cuda.hpp"
#include "kernels/streams/pair_moments.hpp"
#include "kernels/streams/random_matrix_norms.hpp"

namespace attest::streamed {

PerturbationBlocks perturbation_blocks_on_cuda() { throw CudaFailure(device::cuda_devices().absence); }

std::vector<PairMoments> block_moments_on_cuda(std::uint64_t, const Noise&, const Noise&, std::uint64_t, std::uint64_t,
                                               std::uint64_t) {
  throw CudaFailure(device::cuda_devices().absence);
}

std::vector<SmootherSums> smoother_sums_on_cuda(const Smoother&, double, double, std::uint64_t, std::uint64_t) {
  throw CudaFailure(device::cuda_devices().absence);
}

std::vector<GrcScan> grc_blocks_on_cuda(const GrcGrid&, std::uint64_t, std::uint64_t) {
  throw CudaFailure(device::cuda_devices().absence);
}

JacobianBlocks jacobian_blocks_on_cuda(std::uint64_t, const Noise&, std::uint64_t) {
  throw CudaFailure(device::cuda_devices().absence);
}

RowBlocks row_blocks_on_cuda(std::uint64_t, std::uint64_t, const Noise&, std::uint64_t, std::uint64_t, std::uint64_t) {
  throw CudaFailure(device::cuda_devices().absence);
}

}  // namespace attest::streamed
