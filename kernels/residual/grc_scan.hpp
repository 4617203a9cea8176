// The ratio laws of boosted residual networks at every point of a large grid of (L, t, n).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/device/host_device.hpp"

namespace attest::residual {

/// points values from + (to - from) i/(points - 1), i = 0, 1, ...; `from` alone for one point.
struct GrcAxis {
  double from = 0, to = 1;
  std::uint64_t points = 1;

  ATTEST_HOST_DEVICE double at(std::uint64_t i) const {
    return points < 2 ? from : from + (to - from) * (static_cast<double>(i) / static_cast<double>(points - 1));
  }
};

/// The points (L, t, n), n = 1, ..., layers, and the constant C that a law may be off by.
struct GrcGrid {
  GrcAxis lipschitz, weight;  ///< L >= 0, and t in [0, 1]
  std::uint64_t layers = 1;
  double constant = 1;
};

/// A value of the sharp factor and the first point that has it: by L, then t, then n.
struct GrcExtreme {
  double factor = 0, lipschitz = 0, weight = 0;
  std::uint64_t layers = 0;
};

/// With K_1 = L + 1, K_{n+1} = (L + 1 - t) K_n + t (Revisiting Transformers with Insights from Image Filtering and
/// Boosting, Eqs A.10-A.12): how many points violate K_n <= C (L + 1 - t)^n, the printed law, and
/// K_n <= C max(L + 1 - t, 1)^n, the sharp one; `open` are those within rounding of equality.
struct GrcScan {
  std::uint64_t points = 0, printed_violations = 0, printed_open = 0, sharp_violations = 0, sharp_open = 0;
  GrcExtreme largest, least;  ///< of K_n/max(L + 1 - t, 1)^n
};

/// Relative error of every factor at n <= layers.
ATTEST_HOST_DEVICE inline double grc_rounding(std::uint64_t layers) {
  return 6 * static_cast<double>(layers) * 0x1p-53;
}

/// The recursion at every point, nothing stored but one block's tallies per thread. The same result for any number of
/// threads. Errors: std::invalid_argument for an empty axis or one outside its range, a constant that is not positive
/// and finite, no layers or more than 2^30, or more than 2^52 points.
GrcScan scan_grc(const GrcGrid& grid, unsigned threads);

/// The same on a CUDA device, one thread a (L, t), with the same result. Errors: as above, and device::CudaFailure
/// (kernels/device/failure.hpp) where no device can be used.
GrcScan scan_grc_on_cuda(const GrcGrid& grid);

/// The scan from tallies made elsewhere: `block_scans(first, blocks)` gives those of blocks first, ...,
/// first + blocks - 1 of 128 neighbouring (L, t). Errors: as scan_grc.
GrcScan scan_grc_by_blocks(
    const GrcGrid& grid,
    const std::function<std::vector<GrcScan>(std::uint64_t first, std::uint64_t blocks)>& block_scans);

/// Tallies of `blocks` blocks of 128 neighbouring (L, t) from first_block on: what the device computes.
std::vector<GrcScan> grc_blocks_on_cuda(const GrcGrid& grid, std::uint64_t first_block, std::uint64_t blocks);

/// `part` joined to `all`, which comes before it.
ATTEST_HOST_DEVICE inline void join(GrcScan& all, const GrcScan& part) {
  if (part.points == 0) return;
  if (all.points == 0) {
    all = part;
    return;
  }
  all.points += part.points;
  all.printed_violations += part.printed_violations;
  all.printed_open += part.printed_open;
  all.sharp_violations += part.sharp_violations;
  all.sharp_open += part.sharp_open;
  if (part.largest.factor > all.largest.factor) all.largest = part.largest;
  if (part.least.factor < all.least.factor) all.least = part.least;
}

}  // namespace attest::residual
