#include "kernels/attention/stages/positional_term.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attest::attention {
namespace {

/// Sequence b of [B][...] as [1][...]; all of it when `whole`.
template <typename T>
Tensor<T> sequence(const Tensor<T>& x, Index b, bool whole) {
  if (whole) return x;
  Shape shape = x.shape();
  shape[0] = 1;
  const Index size = entries(shape);
  return {shape, std::vector<T>(x.data() + b * size, x.data() + (b + 1) * size)};
}

/// Positions of sequence b without the axis of sequences.
template <typename T>
Tensor<T> positions(const Tensor<T>& x, Index b) {
  if (x.rank() == 3) return x;
  const Shape shape(x.shape().begin() + 1, x.shape().end());
  const Index size = entries(shape);
  return {shape, std::vector<T>(x.data() + b * size, x.data() + (b + 1) * size)};
}

/// Copies a part's entries to where sequence b begins.
template <typename T>
void put(Tensor<T>& whole, Index b, const Tensor<T>& part) {
  std::copy(part.values().begin(), part.values().end(), whole.values().begin() + b * part.size());
}

/// The options of the part for sequence b, with the positional term in the bias.
template <typename T>
AttendOptions<T> options_of(const PerSequence<T>& s, Index b, bool whole) {
  AttendOptions<T> options = s.options;
  Tensor<T> term = positional_term(positions(s.qp, b), positions(s.kp, b), s.factor);
  if (options.bias.dense.empty())
    options.bias.dense = std::move(term);
  else
    for (std::size_t i = 0; i < term.values().size(); ++i) options.bias.dense.values()[i] += term.values()[i];
  if (!whole && !options.mask.key_lengths.empty())
    options.mask.key_lengths = {options.mask.key_lengths[static_cast<std::size_t>(b)]};
  return options;
}

}  // namespace

template <typename T>
Tensor<T> positional_term(const Tensor<T>& qp, const Tensor<T>& kp, const std::vector<T>& factor) {
  const Index heads = qp.extent(0), queries = qp.extent(1), keys = kp.extent(1), width = qp.extent(2);
  Tensor<T> term({heads, queries, keys});
  T* out = term.data();
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < queries; ++i)
      for (Index j = 0; j < keys; ++j) {
        T dot = 0;
        for (Index d = 0; d < width; ++d)
          dot += qp.data()[(h * queries + i) * width + d] * kp.data()[(h * keys + j) * width + d];
        *out++ = factor[static_cast<std::size_t>(h)] * dot;
      }
  return term;
}

template <typename T>
PerSequence<T> attend_with_positional_term(Tensor<T> q, Tensor<T> k, Tensor<T> v, Tensor<T> qp, Tensor<T> kp,
                                           std::vector<T> factor, AttendOptions<T> options) {
  PerSequence<T> s{std::move(q),
                   std::move(k),
                   std::move(v),
                   std::move(qp),
                   std::move(kp),
                   std::move(factor),
                   std::move(options),
                   {},
                   {}};
  const bool whole = s.qp.rank() == 3 && s.kp.rank() == 3;
  if (!whole && s.q.extent(0) > 1 && s.options.dropout.rate > 0)
    throw std::invalid_argument(
        "dropout with a precomputed positional term needs positions that all sequences share ([H][N][P])");
  s.out = Tensor<T>({s.q.extent(0), s.q.extent(1), s.q.extent(2), s.v.extent(3)});
  for (Index b = 0; b < (whole ? 1 : s.q.extent(0)); ++b) {
    s.attended.push_back(
        attend(sequence(s.q, b, whole), sequence(s.k, b, whole), sequence(s.v, b, whole), options_of(s, b, whole)));
    put(s.out, b, s.attended.back().out);
  }
  return s;
}

template <typename T>
PositionalTermGradients<T> PerSequence<T>::backward(const Tensor<T>& dout) const {
  const bool whole = qp.rank() == 3 && kp.rank() == 3;
  PositionalTermGradients<T> g{{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape()), Tensor<T>()},
                               Tensor<T>(qp.shape()),
                               Tensor<T>(kp.shape()),
                               std::vector<T>(factor.size(), T(0))};
  const Index heads = q.extent(1), queries = q.extent(2), keys = k.extent(2), width = qp.shape().back();
  for (Index b = 0; b < static_cast<Index>(attended.size()); ++b) {
    const AttendGradients<T> part =
        attend_backward(sequence(q, b, whole), sequence(k, b, whole), sequence(v, b, whole),
                        options_of(*this, b, whole), attended[static_cast<std::size_t>(b)], sequence(dout, b, whole));
    put(g.attention.q, b, part.q);
    put(g.attention.k, b, part.k);
    put(g.attention.v, b, part.v);
    const T* d = part.bias.data();
    const Index q_start = qp.rank() == 4 ? b * heads * queries * width : 0;
    const Index k_start = kp.rank() == 4 ? b * heads * keys * width : 0;
    for (Index h = 0; h < heads; ++h) {
      const T scale = factor[static_cast<std::size_t>(h)];
      double of_factor = 0;
      for (Index i = 0; i < queries; ++i)
        for (Index j = 0; j < keys; ++j, ++d) {
          const Index at_q = q_start + (h * queries + i) * width, at_k = k_start + (h * keys + j) * width;
          for (Index e = 0; e < width; ++e) {
            const T x = qp.data()[at_q + e], y = kp.data()[at_k + e];
            g.qp.data()[at_q + e] += *d * scale * y;
            g.kp.data()[at_k + e] += *d * scale * x;
            of_factor += static_cast<double>(*d) * static_cast<double>(x * y);
          }
        }
      g.factor[static_cast<std::size_t>(h)] += static_cast<T>(of_factor);
    }
  }
  return g;
}

template Tensor<float> positional_term(const Tensor<float>&, const Tensor<float>&, const std::vector<float>&);
template Tensor<double> positional_term(const Tensor<double>&, const Tensor<double>&, const std::vector<double>&);
template PerSequence<float> attend_with_positional_term(Tensor<float>, Tensor<float>, Tensor<float>, Tensor<float>,
                                                        Tensor<float>, std::vector<float>, AttendOptions<float>);
template PerSequence<double> attend_with_positional_term(Tensor<double>, Tensor<double>, Tensor<double>, Tensor<double>,
                                                         Tensor<double>, std::vector<double>, AttendOptions<double>);
template struct PerSequence<float>;
template struct PerSequence<double>;

}  // namespace attest::attention
