// The norm of the Jacobian of softmax at very many drawn logits, and its largest entry, with draws and sums on a CUDA
// device.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/softmax/secular_root.hpp"
#include "kernels/streams/noise.hpp"

namespace attest::softmax {

/// Of one block of 2^14 elements: the two largest values and the sum.
struct TopOfBlock {
  double largest = 0, second = 0, sum = 0;
};

/// What is summed of blocks first, ..., first + blocks - 1 of the logits c_i = scale X_i.
struct JacobianBlocks {
  /// The two largest c_i.
  std::function<std::vector<TopOfBlock>(std::uint64_t first, std::uint64_t blocks)> logits;
  /// The two largest b_i = exp(c_i - shift), and their sum.
  std::function<std::vector<TopOfBlock>(double shift, std::uint64_t first, std::uint64_t blocks)> weights;
  /// The terms of the secular equation at `at`, for the b_i below `second`.
  std::function<std::vector<SecularTerms>(double shift, double second, double at, std::uint64_t first,
                                          std::uint64_t blocks)>
      secular;
};

/// Largest eigenvalue of diag(p) - p p^T, p = softmax(c), from blocks' sums made elsewhere. Errors:
/// std::invalid_argument for n outside 2, ..., 2^40.
double jacobian_norm_by_blocks(std::uint64_t n, const JacobianBlocks& blocks);

/// The same by a CUDA device: about six passes that draw the logits again, no memory of size n. The same bits as
/// StreamedPerturbation<double> has at equal logits with `logits` as the noise. Errors: as above, std::invalid_argument
/// for a scale that is not finite, and device::CudaFailure (kernels/device/failure.hpp) where no device can be
/// used.
double jacobian_norm_on_cuda(std::uint64_t n, const streams::Noise& logits, std::uint64_t sample);

/// The largest entry of softmax(c), from blocks' sums made elsewhere. Errors: std::invalid_argument for n outside 2,
/// ..., 2^40.
double largest_share_by_blocks(std::uint64_t n, const JacobianBlocks& blocks);

/// The same by a CUDA device: two passes that draw the logits. The same bits as StreamedPerturbation<double> has at
/// equal logits with `logits` as the noise. Errors: as jacobian_norm_on_cuda.
double largest_share_on_cuda(std::uint64_t n, const streams::Noise& logits, std::uint64_t sample);

/// What the device computes.
JacobianBlocks jacobian_blocks_on_cuda(std::uint64_t n, const streams::Noise& logits, std::uint64_t sample);

}  // namespace attest::softmax
