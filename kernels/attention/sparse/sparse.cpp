#include "kernels/attention/sparse/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/attend/dropout.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename T>
double dot(const T* a, const T* b, Index n) {
  double sum = 0;
  for (Index d = 0; d < n; ++d) sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return sum;
}

/// The pairs of one row that are real, by increasing key.
template <typename T>
std::pair<Index, Index> real_pairs(const SparsePattern& pattern, const SparseOptions<T>& options, Index b, Index i) {
  const Index first = pattern.starts[static_cast<std::size_t>(i)],
              last = pattern.starts[static_cast<std::size_t>(i) + 1];
  if (options.key_lengths.empty()) return {first, last};
  const auto end = std::lower_bound(pattern.columns.begin() + first, pattern.columns.begin() + last,
                                    options.key_lengths[static_cast<std::size_t>(b)]);
  return {first, end - pattern.columns.begin()};
}

/// What dropout multiplies a weight with.
struct Survivor {
  const Dropout& dropout;
  std::uint32_t threshold = dropout_threshold(dropout.rate);
  double operator()(Index b, Index h, Index i, Index j) const {
    if (dropout.rate == 0) return 1;
    return survives_dropout(dropout.seed, threshold, b, h, i, j) ? 1 / (1 - dropout.rate) : 0;
  }
};

}  // namespace

template <typename T>
SparseAttended<T> sparse_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const std::vector<SparsePattern>& patterns, const SparseOptions<T>& options) {
  const Index heads = q.extent(1), queries = q.extent(2), dim = q.extent(3), width = v.extent(3);
  SparseAttended<T> result{Tensor<T>({q.extent(0), heads, queries, width}),
                           Tensor<double>({q.extent(0), heads, queries})};
  const Survivor survivor{options.dropout};
  parallel::for_each_block(q.extent(0) * heads, options.threads, [&](std::int64_t block) {
    const Index b = block / heads, h = block % heads;
    const SparsePattern& pattern = patterns[patterns.size() == 1 ? 0 : static_cast<std::size_t>(b)];
    std::vector<double> weights, out(static_cast<std::size_t>(width));
    for (Index i = 0; i < queries; ++i) {
      const auto [first, last] = real_pairs(pattern, options, b, i);
      weights.clear();
      double largest = -infinity, sum = 0;
      for (Index at = first; at < last; ++at) {
        const Index j = pattern.columns[static_cast<std::size_t>(at)];
        weights.push_back(static_cast<double>(options.scale) * dot(&q.at(b, h, i, 0), &k.at(b, h, j, 0), dim));
        largest = std::max(largest, weights.back());
      }
      std::fill(out.begin(), out.end(), 0.0);
      for (Index at = first; at < last; ++at) {
        const Index j = pattern.columns[static_cast<std::size_t>(at)];
        const double weight = std::exp(weights[static_cast<std::size_t>(at - first)] - largest);
        sum += weight;
        const double kept = weight * survivor(b, h, i, j);
        const T* row = &v.at(b, h, j, 0);
        for (std::size_t d = 0; d < out.size(); ++d) out[d] += kept * static_cast<double>(row[d]);
      }
      result.normaliser.values()[static_cast<std::size_t>(block * queries + i)] =
          first < last ? largest + std::log(sum) : -infinity;
      for (std::size_t d = 0; d < out.size() && first < last; ++d)
        result.out.at(b, h, i, static_cast<Index>(d)) = static_cast<T>(out[d] / sum);
    }
  });
  return result;
}

template <typename T>
AttendGradients<T> sparse_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                          const std::vector<SparsePattern>& patterns, const SparseOptions<T>& options,
                                          const SparseAttended<T>& attended, const Tensor<T>& dout) {
  const Index heads = q.extent(1), queries = q.extent(2), dim = q.extent(3), width = v.extent(3), keys = k.extent(2);
  AttendGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape()), Tensor<T>()};
  const Survivor survivor{options.dropout};
  const auto scale = static_cast<double>(options.scale);
  parallel::for_each_block(q.extent(0) * heads, options.threads, [&](std::int64_t block) {
    const Index b = block / heads, h = block % heads;
    const SparsePattern& pattern = patterns[patterns.size() == 1 ? 0 : static_cast<std::size_t>(b)];
    // Queries in order add to the gradients of their keys, in double.
    std::vector<double> dq(static_cast<std::size_t>(dim)), dk(static_cast<std::size_t>(keys * dim)),
        dv(static_cast<std::size_t>(keys * width));
    for (Index i = 0; i < queries; ++i) {
      const auto [first, last] = real_pairs(pattern, options, b, i);
      const double normaliser = attended.normaliser.values()[static_cast<std::size_t>(block * queries + i)];
      const double mean = dot(&dout.at(b, h, i, 0), &attended.out.at(b, h, i, 0), width);
      const T *query = &q.at(b, h, i, 0), *in = &dout.at(b, h, i, 0);
      std::fill(dq.begin(), dq.end(), 0.0);
      for (Index at = first; at < last; ++at) {
        const Index j = pattern.columns[static_cast<std::size_t>(at)];
        const T* key = &k.at(b, h, j, 0);
        const double weight = std::exp(scale * dot(query, key, dim) - normaliser), kept = survivor(b, h, i, j);
        const double d_logit = scale * weight * (kept * dot(in, &v.at(b, h, j, 0), width) - mean);
        for (Index d = 0; d < width; ++d)
          dv[static_cast<std::size_t>(j * width + d)] += weight * kept * static_cast<double>(in[d]);
        for (Index d = 0; d < dim; ++d) {
          dq[static_cast<std::size_t>(d)] += d_logit * static_cast<double>(key[d]);
          dk[static_cast<std::size_t>(j * dim + d)] += d_logit * static_cast<double>(query[d]);
        }
      }
      for (Index d = 0; d < dim; ++d) g.q.at(b, h, i, d) = static_cast<T>(dq[static_cast<std::size_t>(d)]);
    }
    std::transform(dk.begin(), dk.end(), &g.k.at(b, h, 0, 0), [](double x) { return static_cast<T>(x); });
    std::transform(dv.begin(), dv.end(), &g.v.at(b, h, 0, 0), [](double x) { return static_cast<T>(x); });
  });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                    \
  template SparseAttended<T> sparse_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,                 \
                                           const std::vector<SparsePattern>&, const SparseOptions<T>&);          \
  template AttendGradients<T> sparse_attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,       \
                                                     const std::vector<SparsePattern>&, const SparseOptions<T>&, \
                                                     const SparseAttended<T>&, const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
