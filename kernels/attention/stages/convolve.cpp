#include "kernels/attention/stages/convolve.hpp"

#include <algorithm>

namespace attest::attention {
namespace {

/// f(to, from, tap) for every pair of tokens of sequence b that a tap of the kernel connects.
template <typename T, typename F>
void for_each_tap(const Tensor<T>& kernel, const ConvolutionGrid& grid, Index b, Index tokens, F f) {
  const Index s_rows = kernel.rank() == 3 ? kernel.extent(1) : 1, s_cols = kernel.shape().back();
  const Index above = grid.causal ? s_rows - 1 : (s_rows - 1) / 2, before = grid.causal ? s_cols - 1 : (s_cols - 1) / 2;
  const Index length = grid.lengths.empty() ? tokens : grid.lengths[static_cast<std::size_t>(b)];
  for (Index r = 0; r < grid.rows; ++r)
    for (Index c = 0; c < grid.cols; ++c)
      for (Index i = std::max<Index>(0, above - r); i < std::min(s_rows, grid.rows - r + above); ++i)
        for (Index j = std::max<Index>(0, before - c); j < std::min(s_cols, grid.cols - c + before); ++j) {
          const Index from = grid.first + (r + i - above) * grid.cols + c + j - before;
          if (from < length) f(grid.first + r * grid.cols + c, from, i * s_cols + j);
        }
}

}  // namespace

template <typename T>
Tensor<T> convolve(const Tensor<T>& x, const Tensor<T>& kernel, const ConvolutionGrid& grid) {
  Tensor<T> out = x;
  const Index dim = x.extent(3), taps = kernel.size() / kernel.extent(0);
  std::vector<double> sums(static_cast<std::size_t>(x.extent(2) * dim));
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for_each_tap(kernel, grid, b, x.extent(2), [&](Index to, Index from, Index tap) {
        const auto weight = static_cast<double>(kernel.data()[h * taps + tap]);
        for (Index d = 0; d < dim; ++d)
          sums[static_cast<std::size_t>(to * dim + d)] += weight * static_cast<double>(x.at(b, h, from, d));
      });
      for (Index n = grid.first; n < x.extent(2); ++n)
        for (Index d = 0; d < dim; ++d)
          out.at(b, h, n, d) = static_cast<T>(sums[static_cast<std::size_t>(n * dim + d)]);
    }
  return out;
}

template <typename T>
ConvolveGradients<T> convolve_backward(const Tensor<T>& x, const Tensor<T>& kernel, const ConvolutionGrid& grid,
                                       const Tensor<T>& dout) {
  ConvolveGradients<T> g{dout, Tensor<T>(kernel.shape())};
  const Index dim = x.extent(3), taps = kernel.size() / kernel.extent(0);
  std::vector<double> sums(static_cast<std::size_t>(x.extent(2) * dim)),
      d_kernel(static_cast<std::size_t>(kernel.size()));
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for_each_tap(kernel, grid, b, x.extent(2), [&](Index to, Index from, Index tap) {
        const auto weight = static_cast<double>(kernel.data()[h * taps + tap]);
        double of_weight = 0;
        for (Index d = 0; d < dim; ++d) {
          const auto in = static_cast<double>(dout.at(b, h, to, d));
          sums[static_cast<std::size_t>(from * dim + d)] += weight * in;
          of_weight += in * static_cast<double>(x.at(b, h, from, d));
        }
        d_kernel[static_cast<std::size_t>(h * taps + tap)] += of_weight;
      });
      for (Index n = grid.first; n < x.extent(2); ++n)
        for (Index d = 0; d < dim; ++d)
          g.x.at(b, h, n, d) = static_cast<T>(sums[static_cast<std::size_t>(n * dim + d)]);
    }
  std::transform(d_kernel.begin(), d_kernel.end(), g.kernel.values().begin(),
                 [](double w) { return static_cast<T>(w); });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                 \
  template Tensor<T> convolve(const Tensor<T>&, const Tensor<T>&, const ConvolutionGrid&);                    \
  template ConvolveGradients<T> convolve_backward(const Tensor<T>&, const Tensor<T>&, const ConvolutionGrid&, \
                                                  const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
