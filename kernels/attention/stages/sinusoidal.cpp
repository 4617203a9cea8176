#include "kernels/attention/stages/sinusoidal.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::attention {

template <typename T>
Tensor<T> sinusoidal_positions(Index tokens, Index dim, Index first, double base) {
  if (dim < 2 || dim % 2 != 0)
    throw std::invalid_argument(fmt::format("sinusoidal_positions: {} features; give an even number", dim));
  if (!(base > 0)) throw std::invalid_argument(fmt::format("sinusoidal_positions: base {} is not above 0", base));
  Tensor<T> positions({tokens, dim});
  for (Index i = 0; i < tokens; ++i)
    for (Index t = 0; t < dim / 2; ++t) {
      const double angle =
          static_cast<double>(first + i) / std::pow(base, static_cast<double>(2 * t) / static_cast<double>(dim));
      positions.data()[i * dim + 2 * t] = static_cast<T>(std::sin(angle));
      positions.data()[i * dim + 2 * t + 1] = static_cast<T>(std::cos(angle));
    }
  return positions;
}

template <typename T>
Tensor<T> add_positions(const Tensor<T>& x, const Tensor<T>& p) {
  Tensor<T> sum = x;
  for (Index i = 0; i < sum.size(); ++i) sum.data()[i] += p.data()[i % p.size()];
  return sum;
}

template <typename T>
Tensor<T> positions_gradient(const Tensor<T>& dout) {
  Tensor<T> gradient({dout.extent(1), dout.extent(2)});
  std::vector<double> sums(static_cast<std::size_t>(gradient.size()), 0.0);
  for (Index i = 0; i < dout.size(); ++i)
    sums[static_cast<std::size_t>(i % gradient.size())] += static_cast<double>(dout.data()[i]);
  std::transform(sums.begin(), sums.end(), gradient.values().begin(), [](double sum) { return static_cast<T>(sum); });
  return gradient;
}

#define ATTEST_INSTANTIATE(T)                                              \
  template Tensor<T> sinusoidal_positions<T>(Index, Index, Index, double); \
  template Tensor<T> add_positions(const Tensor<T>&, const Tensor<T>&);    \
  template Tensor<T> positions_gradient(const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
