// The Nadaraya-Watson estimator on long sorted designs, by the observations near each point alone.
#pragma once

#include <span>
#include <vector>

#include "kernels/regression/kernel.hpp"

namespace attest::regression {

/// Up to which distance weights are summed, in bandwidths, and what the largest weight beyond it is at most.
struct CutOff {
  double radius = 0, largest_beyond = 0;
};

/// For a compact kernel its whole support, with nothing beyond. For the others the least radius >= 6 (from where every
/// K and K*K of all_kernels decreases) with 2 K(radius) + (K*K)(radius) <= weight; kernels with heavy tails need a
/// large one, 10^6 at most, where `largest_beyond` says what is left. Precondition: weight > 0.
CutOff cut_off(const Kernel& kernel, Form form, double weight);

/// Estimates with what the cut-off may have changed.
struct WindowedFit {
  std::vector<double> fitted;  ///< NaN where no weight is left
  std::vector<double> bounds;  ///< |fitted - the estimate by all observations| is at most this, rounding aside
  std::size_t visited = 0;     ///< weights computed
};

/// The estimator of nadaraya_watson (same preconditions and errors) from the observations within `cut` of each point:
/// O(window) a point, and the points shared out over `threads`, with the same bits for any number of them.
///
/// With B the sum of the weights kept, R = (observations left out) largest_beyond < B and f the fit, the estimate moves
/// by at most R (max |Y| + |f|)/(B - R); the bound is infinite where R >= B.
WindowedFit nadaraya_watson_within(const CutOff& cut, const Kernel& kernel, Form form, std::span<const double> design,
                                   std::span<const double> responses, std::span<const double> points, double h,
                                   unsigned threads);

}  // namespace attest::regression
