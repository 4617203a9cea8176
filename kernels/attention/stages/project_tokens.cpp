#include "kernels/attention/stages/project_tokens.hpp"

#include <algorithm>

#include "kernels/attention/matrix/matrix.hpp"

namespace attest::attention {
namespace {

/// Tokens that are taken at once.
constexpr Index chunk = 64;

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
  Matrix weights(chunk, rank), tokens(chunk, dim), sums(rank, dim);
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h) {
      std::fill(sums.entries.begin(), sums.entries.end(), 0.0);
      const Index length = real(lengths, b, x.extent(2));
      for (Index first = 0; first < length; first += chunk) {
        const Index count = std::min(chunk, length - first);
        load_rows(e.data() + start(e, h) + first * rank, rank, count, rank, weights);
        load_rows(&x.at(b, h, first, 0), dim, count, dim, tokens);
        multiply(rank, count, weights, Turned::yes, tokens.at(0), tokens.row, sums.at(0), Onto::what_is_there);
      }
      for (Index r = 0; r < rank; ++r)
        for (Index d = 0; d < dim; ++d) out.at(b, h, r, d) = static_cast<T>(sums.at(r)[d]);
    }
  return out;
}

template <typename T>
ProjectTokensGradients<T> project_tokens_backward(const Tensor<T>& x, const Tensor<T>& e,
                                                  const std::vector<Index>& lengths, const Tensor<T>& dout) {
  const Index rank = e.shape().back(), dim = x.extent(3);
  ProjectTokensGradients<T> g{Tensor<T>(x.shape()), Tensor<T>(e.shape())};
  std::vector<double> of_e(static_cast<std::size_t>(e.size()));
  Matrix weights(chunk, rank), tokens(chunk, dim), gradients(rank, dim), turned(dim, rank), of_weights(chunk, rank),
      of_tokens(chunk, dim);
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h) {
      load_rows(&dout.at(b, h, 0, 0), dim, rank, dim, gradients);
      turn(gradients, rank, dim, turned);
      const Index length = real(lengths, b, x.extent(2));
      for (Index first = 0; first < length; first += chunk) {
        const Index count = std::min(chunk, length - first), at = start(e, h) + first * rank;
        load_rows(e.data() + at, rank, count, rank, weights);
        load_rows(&x.at(b, h, first, 0), dim, count, dim, tokens);
        multiply(count, rank, weights, Turned::no, gradients.at(0), gradients.row, of_tokens.at(0), Onto::nothing);
        multiply(count, dim, tokens, Turned::no, turned.at(0), turned.row, of_weights.at(0), Onto::nothing);
        for (Index i = 0; i < count; ++i) {
          T* const row = &g.x.at(b, h, first + i, 0);
          for (Index d = 0; d < dim; ++d) row[d] = static_cast<T>(of_tokens.at(i)[d]);
          double* const sums = of_e.data() + at + i * rank;
          for (Index r = 0; r < rank; ++r) sums[r] += of_weights.at(i)[r];
        }
      }
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
