#include "kernels/device/devices.hpp"
#include "kernels/device/failure.hpp"
#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/perturbation_cuda.hpp"
#include "kernels/streams/pair_moments.hpp"
#include "kernels/streams/random_matrix_norms.hpp"

// The sums that softmax/, residual/ and regression/ declare are made by one translation unit: hence no namespace of a
// folder.
namespace attest {

using streams::Noise;
using streams::PairMoments;
using streams::RowBlocks;

softmax::PerturbationBlocks softmax::perturbation_blocks_on_cuda() {
  throw device::CudaFailure(device::cuda_devices().absence);
}

std::vector<PairMoments> streams::block_moments_on_cuda(std::uint64_t, const Noise&, const Noise&, std::uint64_t,
                                                        std::uint64_t, std::uint64_t) {
  throw device::CudaFailure(device::cuda_devices().absence);
}

std::vector<regression::SmootherSums> regression::smoother_sums_on_cuda(const regression::Smoother&, double, double,
                                                                        std::uint64_t, std::uint64_t) {
  throw device::CudaFailure(device::cuda_devices().absence);
}

std::vector<residual::GrcScan> residual::grc_blocks_on_cuda(const residual::GrcGrid&, std::uint64_t, std::uint64_t) {
  throw device::CudaFailure(device::cuda_devices().absence);
}

softmax::JacobianBlocks softmax::jacobian_blocks_on_cuda(std::uint64_t, const Noise&, std::uint64_t) {
  throw device::CudaFailure(device::cuda_devices().absence);
}

RowBlocks streams::row_blocks_on_cuda(std::uint64_t, std::uint64_t, const Noise&, std::uint64_t, std::uint64_t,
                                      std::uint64_t) {
  throw device::CudaFailure(device::cuda_devices().absence);
}

}  // namespace attest
