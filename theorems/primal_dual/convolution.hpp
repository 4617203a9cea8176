// Depth-wise convolution of a grid of tokens (Definitions 3 and 4), for doubles and balls.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace attest::primal_dual {

/// A grid of N_H x N_W tokens. Token n = N_W h + w (from 0) sits in row h, column w: Appendix G's indexing.
struct Grid {
  std::size_t height, width;
  std::size_t size() const { return height * width; }
};

/// Flatten(Conv2D(tokens, s)): cross-correlation with an s x s kernel given row by row, zero padding that keeps the
/// size (s - 1 over 2, rounded down, before), no bias. `channels` is the number of features of a token; kernel holds
/// either one kernel for all of them or one after the other.
template <class Real>
std::vector<Real> convolved(std::span<const Real> tokens, Grid grid, std::size_t channels, std::span<const Real> kernel,
                            std::size_t s) {
  const std::size_t before = (s - 1) / 2;
  const bool shared = kernel.size() == s * s;
  std::vector<Real> out;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    for (std::size_t d = 0; d < channels; ++d) {
      Real sum(0);
      for (std::size_t a = 0; a < s; ++a) {
        for (std::size_t b = 0; b < s; ++b) {
          const std::size_t h = n / grid.width + a;
          const std::size_t w = n % grid.width + b;
          if (h < before || w < before || h - before >= grid.height || w - before >= grid.width) continue;
          const std::size_t token = (h - before) * grid.width + (w - before);
          sum += kernel[(shared ? 0 : d * s * s) + a * s + b] * tokens[token * channels + d];
        }
      }
      out.push_back(sum);
    }
  }
  return out;
}

}  // namespace attest::primal_dual
