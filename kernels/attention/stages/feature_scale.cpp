#include "kernels/attention/stages/feature_scale.hpp"

#include <algorithm>

namespace attest::attention {
namespace {

template <typename T>
double mean_of(const Tensor<T>& x, Index b, Index h, Index d, Index length) {
  double sum = 0;
  for (Index n = 0; n < length; ++n) sum += static_cast<double>(x.at(b, h, n, d));
  return sum / static_cast<double>(std::max<Index>(length, 1));
}

}  // namespace

template <typename T>
Tensor<T> feature_scale(const Tensor<T>& x, const Tensor<T>& s, const Tensor<T>& t, const std::vector<Index>& lengths) {
  Tensor<T> out(x.shape());
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h)
      for (Index d = 0; d < x.extent(3); ++d) {
        const Index feature = h * x.extent(3) + d;
        const T mean = static_cast<T>(mean_of(x, b, h, d, lengths[static_cast<std::size_t>(b)]));
        for (Index n = 0; n < x.extent(2); ++n) {
          const T value = x.at(b, h, n, d);
          out.at(b, h, n, d) = value + s.data()[feature] * mean + t.data()[feature] * (value - mean);
        }
      }
  return out;
}

template <typename T>
FeatureScaleGradients<T> feature_scale_backward(const Tensor<T>& x, const Tensor<T>& s, const Tensor<T>& t,
                                                const std::vector<Index>& lengths, const Tensor<T>& dout) {
  FeatureScaleGradients<T> g{Tensor<T>(x.shape()), Tensor<T>(s.shape()), Tensor<T>(t.shape())};
  for (Index h = 0; h < x.extent(1); ++h)
    for (Index d = 0; d < x.extent(3); ++d) {
      const Index feature = h * x.extent(3) + d;
      const auto of_mean = static_cast<double>(s.data()[feature]), of_rest = static_cast<double>(t.data()[feature]);
      double ds = 0, dt = 0;
      for (Index b = 0; b < x.extent(0); ++b) {
        const Index length = lengths[static_cast<std::size_t>(b)];
        const double mean = mean_of(x, b, h, d, length);
        double total = 0;
        for (Index n = 0; n < x.extent(2); ++n) {
          const auto in = static_cast<double>(dout.at(b, h, n, d));
          total += in;
          dt += in * (static_cast<double>(x.at(b, h, n, d)) - mean);
        }
        ds += total * mean;
        const double shared = (of_mean - of_rest) * total / static_cast<double>(std::max<Index>(length, 1));
        for (Index n = 0; n < x.extent(2); ++n)
          g.x.at(b, h, n, d) =
              static_cast<T>(static_cast<double>(dout.at(b, h, n, d)) * (1 + of_rest) + (n < length ? shared : 0.0));
      }
      g.s.data()[feature] = static_cast<T>(ds);
      g.t.data()[feature] = static_cast<T>(dt);
    }
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                        \
  template Tensor<T> feature_scale(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const std::vector<Index>&); \
  template FeatureScaleGradients<T> feature_scale_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,     \
                                                           const std::vector<Index>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
