// The softmax perturbation's sums on a CUDA device: draw, transform and reduce in one kernel.
//
// What has been run: this and the sweeps' other kernels (kernels/streams/cuda/sweeps.cuh) on an H100, with the processor's
// bits (tests/benchmarks/results/device.txt); elsewhere they are compiled for sm_90 and, as PTX, for every device from sm_80
// on, and run on the processor by emulation, and the tests that need a device skip.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/device/failure.hpp"
#include "kernels/streams/noise.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::softmax {

/// n drawn logits, weighted by exp(logits.scale X_i - logit_shift), and their noise, of which w_i = exp(eta_i -
/// noise_shift) - 1, or without the 1.
struct CudaPerturbation {
  std::uint64_t n = 0;
  streams::Noise logits;
  double logit_shift = 0;
  streams::Noise noise;
  double noise_shift = 0;
  bool minus_one = true;
};

/// Over some elements: the sums of the weights a and of their squares.
struct WeightSums {
  double sum = 0, squares = 0;
};

/// What StreamedPerturbation<double> combines, made elsewhere for every block of 16384 elements in order.
struct PerturbationBlocks {
  /// The sums of samples first_sample ... first_sample + samples - 1, sample by sample. blocks x samples below 2^31.
  std::function<std::vector<streams::PerturbationSums>(const CudaPerturbation& at, std::uint64_t first_sample,
                                                       std::uint64_t samples)>
      sums;
  /// The sums of the weights exp(logits.scale X_i - logit_shift).
  std::function<std::vector<WeightSums>(std::uint64_t n, const streams::Noise& logits, double logit_shift)> weights;
};

/// The same bits as on the processor, made by a CUDA device. The functions throw device::CudaFailure.
PerturbationBlocks perturbation_blocks_on_cuda();

}  // namespace attest::softmax
