// The Nadaraya-Watson estimator and its twicing on very many observations that are never stored.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/random/philox_lanes.hpp"
#include "kernels/regression/smoother_steps.hpp"

namespace attest::regression {

/// Where observations X_1, ..., X_n lie in [-1, 1].
enum class Observations : std::uint8_t {
  grid,    ///< X_i = (2i + 1)/n - 1
  random,  ///< independent and uniform, draws of the stream
};

/// The estimator sum L((x - X_i)/h) Y_i / sum L((x - X_i)/h) of Y_i = m(X_i) + noise at one x.
struct Smoother {
  SmoothingKernel kernel = SmoothingKernel::gaussian;
  SmoothedCurve curve = SmoothedCurve::bump;
  Observations observations = Observations::random;
  std::uint64_t n = 0;
  double x = 0, h = 0;
  random::StreamName stream = {};  ///< of random observations
};

/// Given the observations: the estimator's expected value less m(x), and its variance over that of the noise,
/// sum w^2/(sum w)^2. NaN where the weights sum to 0.
struct SmootherRisk {
  double bias = 0, variance = 0;
  double bias_bound = 0;  ///< |error of bias| by the cut-off and by rounding
};

/// With L = K and L = 2K - K*K.
struct SmootherRisks {
  SmootherRisk plain, twiced;
};

/// |x - X| <= cut_off h is summed, others are left out: 1 or 2 for the compact kernels, where nothing is left out, and
/// 2 sqrt(log(n 2^53)) for the gaussian, where L is below 2^-53/n: all that is left out adds up to less than 2^-53.
double cut_off(SmoothingKernel kernel, std::uint64_t n);

/// Both estimators' risks in one pass: O(observations within the cut-off) on a grid, O(n) draws otherwise; no memory of
/// size n. The same bits for any number of threads. Errors: std::invalid_argument for n outside 1, ..., 2^40, x outside
/// [-1, 1], or h outside (0, 2].
SmootherRisks smoother_risks(const Smoother& smoother, unsigned threads);

/// The same with the sums made on a CUDA device, with the same bits. Errors: as above, and device::CudaFailure
/// (kernels/device/failure.hpp) where no device can be used.
SmootherRisks smoother_risks_on_cuda(const Smoother& smoother);

/// Rows of SmootherRow.
using SmootherSums = std::array<double, smoother_rows>;

/// Sums of blocks first, ..., first + blocks - 1 of 2^14 observations, those within `reach` of x; at_x = m(x).
using SmootherBlocks =
    std::function<std::vector<SmootherSums>(double reach, double at_x, std::uint64_t first, std::uint64_t blocks)>;

/// The risks from blocks' sums made elsewhere. Errors: as smoother_risks.
SmootherRisks smoother_risks_by_blocks(const Smoother& smoother, const SmootherBlocks& block_sums);

/// Sums of blocks first_block, ..., first_block + blocks - 1 of 2^14 observations: what the device computes.
std::vector<SmootherSums> smoother_sums_on_cuda(const Smoother& smoother, double reach, double at_x,
                                                std::uint64_t first_block, std::uint64_t blocks);

}  // namespace attest::regression
