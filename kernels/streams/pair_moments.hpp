// Second moments of two long random vectors that are never stored: draw, transform and reduce in one pass.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/streams/noise.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::streams {

/// Sums of x^2, x y and y^2.
struct PairMoments {
  double xx = 0, xy = 0, yy = 0;
};

/// |x|^2, x.y and |y|^2 of sample number `sample` of two noises of n elements (scales included).
///
/// Draws are made block by block and never stored: memory independent of n. Each sum has a relative error of its terms'
/// sizes below 2^-45 (chunks of 128 terms per column, then a tree, then a compensated sum of blocks). The same bits for
/// any number of threads and any of the sets of operations(). Precondition: the keys of x and y differ, else the
/// vectors are equal. Errors: std::invalid_argument for n outside 1, ..., 2^40 or a scale that is not finite.
PairMoments pair_moments(std::uint64_t n, const Noise& x, const Noise& y, std::uint64_t sample, unsigned threads,
                         const Operations<double>& operations = *streams::operations<double>().back());

/// The same, drawn and reduced on a CUDA device, with the same bits. Errors: as above, and device::CudaFailure
/// (kernels/device/failure.hpp) where no device can be used.
PairMoments pair_moments_on_cuda(std::uint64_t n, const Noise& x, const Noise& y, std::uint64_t sample);

/// The relative error bound of each sum, against the sum of its terms' sizes.
inline constexpr double pair_moments_error = 0x1p-45;

/// The same from the unscaled sums of blocks of 2^14 elements: `block_sums(first, blocks)` gives those of blocks first,
/// ..., first + blocks - 1. Errors: as pair_moments.
PairMoments pair_moments_by_blocks(
    std::uint64_t n, const Noise& x, const Noise& y,
    const std::function<std::vector<PairMoments>(std::uint64_t first, std::uint64_t blocks)>& block_sums);

/// The sums of blocks first_block ... first_block + blocks - 1 with scales left out: what the device computes.
std::vector<PairMoments> block_moments_on_cuda(std::uint64_t n, const Noise& x, const Noise& y, std::uint64_t sample,
                                               std::uint64_t first_block, std::uint64_t blocks);

}  // namespace attest::streams
