// The softmax perturbation's sums on a CUDA device: draw, transform and reduce in one kernel.
//
// What has been run: this and the sweeps' other kernels (cuda/sweeps.cuh) have been compiled and linked for sm_80, sm_90
// and newer devices (PTX), and run on the processor by emulation, never yet on a device; the tests that need one skip
// where there is none.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernels/streamed/noise.hpp"
#include "kernels/streamed/operations.hpp"

namespace attest::streamed {

/// A device that is absent, too small or failing; the message says which.
class CudaFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// n drawn logits, weighted by exp(logits.scale X_i - logit_shift), and their noise.
struct CudaPerturbation {
  std::uint64_t n = 0;
  Noise logits;
  double logit_shift = 0;
  Noise noise;
};

/// The sums of every block of 16384 elements of samples first_sample ... first_sample + samples - 1, sample by sample:
/// the same bits as SoftmaxPerturbation<double> has on the processor, which combines them. blocks x samples below 2^31.
/// Errors: CudaFailure.
std::vector<PerturbationSums> perturbation_sums_on_cuda(const CudaPerturbation& at, std::uint64_t first_sample,
                                                        std::uint64_t samples);

}  // namespace attest::streamed
