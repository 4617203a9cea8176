#include "kernels/attention/stages/project_tokens.hpp"

#include <algorithm>

namespace attest::attention {
namespace {

Index real(const std::vector<Index>& lengths, Index b, Index tokens) {
  return lengths.empty() ? tokens : lengths[static_cast<std::size_t>(b)];
}

/// First entry of the projection of head h.
template <typename T>
Index start(const Tensor<T>& e, Index h) {
  return e.rank() == 3 ? h * e.extent(1) * e.extent(2) : 0;
}

}  // namespace

template <typename T>
Tensor<T> project_tokens(const Tensor<T>& x, const Tensor<T>& e, const std::vector<Index>& lengths) {
  const Index rank = e.shape().back(), dim = x.extent(3);
  Tensor<T> out({x.extent(0), x.extent(1), rank, dim});
  std::vector<double> sums(static_cast<std::size_t>(dim));
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h)
      for (Index r = 0; r < rank; ++r) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (Index n = 0; n < real(lengths, b, x.extent(2)); ++n) {
          const double weight = static_cast<double>(e.data()[start(e, h) + n * rank + r]);
          for (Index d = 0; d < dim; ++d)
            sums[static_cast<std::size_t>(d)] += weight * static_cast<double>(x.at(b, h, n, d));
        }
        for (Index d = 0; d < dim; ++d) out.at(b, h, r, d) = static_cast<T>(sums[static_cast<std::size_t>(d)]);
      }
  return out;
}

template <typename T>
ProjectTokensGradients<T> project_tokens_backward(const Tensor<T>& x, const Tensor<T>& e,
                                                  const std::vector<Index>& lengths, const Tensor<T>& dout) {
  const Index rank = e.shape().back(), dim = x.extent(3);
  ProjectTokensGradients<T> g{Tensor<T>(x.shape()), Tensor<T>(e.shape())};
  std::vector<double> of_e(static_cast<std::size_t>(e.size())), of_x(static_cast<std::size_t>(dim));
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h)
      for (Index n = 0; n < real(lengths, b, x.extent(2)); ++n) {
        std::fill(of_x.begin(), of_x.end(), 0.0);
        for (Index r = 0; r < rank; ++r) {
          const Index at = start(e, h) + n * rank + r;
          const double weight = static_cast<double>(e.data()[at]);
          double sum = 0;
          for (Index d = 0; d < dim; ++d) {
            const double in = static_cast<double>(dout.at(b, h, r, d));
            of_x[static_cast<std::size_t>(d)] += weight * in;
            sum += in * static_cast<double>(x.at(b, h, n, d));
          }
          of_e[static_cast<std::size_t>(at)] += sum;
        }
        for (Index d = 0; d < dim; ++d) g.x.at(b, h, n, d) = static_cast<T>(of_x[static_cast<std::size_t>(d)]);
      }
  std::transform(of_e.begin(), of_e.end(), g.e.values().begin(), [](double w) { return static_cast<T>(w); });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                       \
  template Tensor<T> project_tokens(const Tensor<T>&, const Tensor<T>&, const std::vector<Index>&); \
  template ProjectTokensGradients<T> project_tokens_backward(const Tensor<T>&, const Tensor<T>&,    \
                                                             const std::vector<Index>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
