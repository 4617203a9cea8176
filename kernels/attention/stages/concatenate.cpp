#include "kernels/attention/stages/concatenate.hpp"

namespace attest::attention {
namespace {

/// First entry of row (b, h, n) of an array whose sequences may share one set of rows.
Index row(const Shape& shape, Index b, Index h, Index n) {
  const std::size_t rank = shape.size();
  const Index heads = shape[rank - 3], tokens = shape[rank - 2], features = shape[rank - 1];
  return (((rank == 4 ? b : 0) * heads + h) * tokens + n) * features;
}

}  // namespace

template <typename T>
Tensor<T> concatenate(const Tensor<T>& a, const std::vector<T>& a_factor, const Tensor<T>& b,
                      const std::vector<T>& b_factor) {
  const Index width = a.shape().back(), rest = b.extent(3);
  Tensor<T> out({b.extent(0), b.extent(1), b.extent(2), width + rest});
  for (Index s = 0; s < b.extent(0); ++s)
    for (Index h = 0; h < b.extent(1); ++h)
      for (Index n = 0; n < b.extent(2); ++n) {
        const T* from = a.data() + row(a.shape(), s, h, n);
        const auto head = static_cast<std::size_t>(h);
        for (Index d = 0; d < width; ++d) out.at(s, h, n, d) = a_factor[head] * from[d];
        for (Index d = 0; d < rest; ++d) out.at(s, h, n, width + d) = b_factor[head] * b.at(s, h, n, d);
      }
  return out;
}

template <typename T>
ConcatenateGradients<T> concatenate_backward(const Tensor<T>& a, const std::vector<T>& a_factor, const Tensor<T>& b,
                                             const std::vector<T>& b_factor, const Tensor<T>& dout) {
  const Index width = a.shape().back(), rest = b.extent(3);
  ConcatenateGradients<T> g{Tensor<T>(a.shape()), Tensor<T>(b.shape()), {}, {}};
  for (Index h = 0; h < b.extent(1); ++h) {
    const auto head = static_cast<std::size_t>(h);
    double of_a = 0, of_b = 0;  // long sums, also for float
    for (Index s = 0; s < b.extent(0); ++s)
      for (Index n = 0; n < b.extent(2); ++n) {
        const Index at = row(a.shape(), s, h, n);
        for (Index d = 0; d < width; ++d) {
          const T gradient = dout.at(s, h, n, d);
          g.a.data()[at + d] += a_factor[head] * gradient;
          of_a += static_cast<double>(gradient) * static_cast<double>(a.data()[at + d]);
        }
        for (Index d = 0; d < rest; ++d) {
          const T gradient = dout.at(s, h, n, width + d);
          g.b.at(s, h, n, d) = b_factor[head] * gradient;
          of_b += static_cast<double>(gradient) * static_cast<double>(b.at(s, h, n, d));
        }
      }
    g.a_factor.push_back(static_cast<T>(of_a));
    g.b_factor.push_back(static_cast<T>(of_b));
  }
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                       \
  template Tensor<T> concatenate(const Tensor<T>&, const std::vector<T>&, const Tensor<T>&, const std::vector<T>&); \
  template ConcatenateGradients<T> concatenate_backward(const Tensor<T>&, const std::vector<T>&, const Tensor<T>&,  \
                                                        const std::vector<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
