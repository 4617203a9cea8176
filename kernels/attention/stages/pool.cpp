#include "kernels/attention/stages/pool.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::attention {
namespace {

struct Window {
  Index first, count;
};

/// The real tokens of window w; a window that the remainder rule drops has none.
Window window(Index w, Index factor, Remainder remainder, Index length) {
  const Index first = w * factor, count = std::clamp<Index>(length - first, 0, factor);
  return {first, remainder == Remainder::floor && count < factor ? 0 : count};
}

Index real(const std::vector<Index>& lengths, Index b, Index tokens) {
  return lengths.empty() ? tokens : lengths[static_cast<std::size_t>(b)];
}

}  // namespace

Index pooled_length(Index tokens, Index factor, Remainder remainder) {
  return remainder == Remainder::ceil ? (tokens + factor - 1) / factor : tokens / factor;
}

template <typename T>
Tensor<T> average_pool(const Tensor<T>& x, Index factor, Remainder remainder, const std::vector<Index>& lengths) {
  if (factor < 1) throw std::invalid_argument(fmt::format("average_pool: factor {} is below 1", factor));
  const Index windows = pooled_length(x.extent(2), factor, remainder);
  if (windows < 1)
    throw std::invalid_argument(
        fmt::format("average_pool: factor {} leaves no window of {} tokens; give a smaller one or remainder=ceil",
                    factor, x.extent(2)));
  Tensor<T> out({x.extent(0), x.extent(1), windows, x.extent(3)});
  for (Index b = 0; b < x.extent(0); ++b)
    for (Index h = 0; h < x.extent(1); ++h)
      for (Index w = 0; w < windows; ++w) {
        const Window in = window(w, factor, remainder, real(lengths, b, x.extent(2)));
        for (Index d = 0; in.count > 0 && d < x.extent(3); ++d) {
          double sum = 0;
          for (Index n = in.first; n < in.first + in.count; ++n) sum += static_cast<double>(x.at(b, h, n, d));
          out.at(b, h, w, d) = static_cast<T>(sum / static_cast<double>(in.count));
        }
      }
  return out;
}

template <typename T>
Tensor<T> average_pool_backward(Index tokens, Index factor, Remainder remainder, const std::vector<Index>& lengths,
                                const Tensor<T>& dout) {
  Tensor<T> dx({dout.extent(0), dout.extent(1), tokens, dout.extent(3)});
  for (Index b = 0; b < dout.extent(0); ++b)
    for (Index h = 0; h < dout.extent(1); ++h)
      for (Index w = 0; w < dout.extent(2); ++w) {
        const Window in = window(w, factor, remainder, real(lengths, b, tokens));
        for (Index n = in.first; n < in.first + in.count; ++n)
          for (Index d = 0; d < dout.extent(3); ++d) dx.at(b, h, n, d) = dout.at(b, h, w, d) / static_cast<T>(in.count);
      }
  return dx;
}

template <typename T>
Tensor<T> head_of(const Tensor<T>& x, Index h) {
  Tensor<T> part({x.extent(0), 1, x.extent(2), x.extent(3)});
  const Index size = x.extent(2) * x.extent(3);
  for (Index b = 0; b < x.extent(0); ++b)
    std::copy_n(x.data() + (b * x.extent(1) + h) * size, size, part.data() + b * size);
  return part;
}

template <typename T>
void put_head(Tensor<T>& x, Index h, const Tensor<T>& part) {
  const Index size = x.extent(2) * x.extent(3);
  for (Index b = 0; b < x.extent(0); ++b)
    std::copy_n(part.data() + b * size, size, x.data() + (b * x.extent(1) + h) * size);
}

#define ATTEST_INSTANTIATE(T)                                                                                     \
  template Tensor<T> average_pool(const Tensor<T>&, Index, Remainder, const std::vector<Index>&);                 \
  template Tensor<T> average_pool_backward(Index, Index, Remainder, const std::vector<Index>&, const Tensor<T>&); \
  template Tensor<T> head_of(const Tensor<T>&, Index);                                                            \
  template void put_head(Tensor<T>&, Index, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
