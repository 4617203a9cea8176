#include "kernels/attention/stages/recentre.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "kernels/attention/real_tokens.hpp"
#include "kernels/attention/stages/key_statistics.hpp"

namespace attest::attention {
namespace {

/// Keys that query i sees under a causal mask.
Index seen_by(Index i, Index length) { return std::min(i + 1, length); }

/// One head of one sequence: where its rows begin.
template <typename T>
T* rows_of(Tensor<T>& x, Index b, Index h) {
  return x.data() + (b * x.extent(1) + h) * x.extent(2) * x.extent(3);
}
template <typename T>
const T* rows_of(const Tensor<T>& x, Index b, Index h) {
  return x.data() + (b * x.extent(1) + h) * x.extent(2) * x.extent(3);
}

template <typename T, typename F>
void for_each_head(const Tensor<T>& q, F f) {
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h) f(b, h);
}

/// Adds a head's part of d beta, feature by feature.
template <typename T>
void add_beta(const Row& of_features, std::vector<T>& d_beta, Row& sums, Index h) {
  const auto head = static_cast<std::size_t>(h);
  sums[head] = std::accumulate(of_features.begin(), of_features.end(), sums[head]);
  d_beta[head] = static_cast<T>(sums[head]);
}

template <typename T>
Recentred<T> recentre_prefix(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                             const RecentreOptions& options) {
  Recentred<T> r{Tensor<T>(q.shape()), k, Tensor<double>(q.shape()), Tensor<double>(q.shape())};
  const Index dim = q.extent(3);
  for_each_head(q, [&](Index b, Index h) {
    const T* const queries = rows_of(q, b, h);
    const T* const keys = rows_of(k, b, h);
    T* const out = rows_of(r.q, b, h);
    double* const means = rows_of(r.mean, b, h);
    double* const inverses = rows_of(r.inverse, b, h);
    const auto weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    const Index length = real_tokens(options.key_lengths, b, k.extent(2));
    Row mean(static_cast<std::size_t>(dim)), squares(mean.size());
    for (Index i = 0; i < q.extent(2); ++i) {
      if (i < length) {  // one more key, by Welford's update
        const T* const key = keys + i * dim;
        const auto count = static_cast<double>(i + 1);
        double *const m = mean.data(), *const s = squares.data();
        for (Index d = 0; d < dim; ++d) {
          const double deviation = static_cast<double>(key[d]) - m[d];
          m[d] += deviation / count;
          s[d] += deviation * (static_cast<double>(key[d]) - m[d]);
        }
      }
      std::copy(mean.begin(), mean.end(), means + i * dim);
      double* const inverse = inverses + i * dim;
      fill_inverse_deviations(squares.data(), dim, seen_by(i, length), options, inverse);
      const T* const x = queries + i * dim;
      T* const to = out + i * dim;
      const double* const m = mean.data();
      for (Index d = 0; d < dim; ++d)
        to[d] = static_cast<T>((static_cast<double>(x[d]) - weight * m[d]) * inverse[d] * inverse[d]);
    }
  });
  return r;
}

template <typename T>
RecentreGradients<T> recentre_prefix_backward(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                                              const RecentreOptions& options, const Recentred<T>& r,
                                              const Tensor<T>& dq, const Tensor<T>& dk) {
  RecentreGradients<T> g{Tensor<T>(q.shape()), dk, std::vector<T>(beta.size(), T(0))};
  Row d_beta(beta.size());
  const Index dim = q.extent(3);
  for_each_head(q, [&](Index b, Index h) {
    const T *const queries = rows_of(q, b, h), *const keys = rows_of(k, b, h), *const gradients = rows_of(dq, b, h);
    const double *const means = rows_of(r.mean, b, h), *const inverses = rows_of(r.inverse, b, h);
    T *const of_q = rows_of(g.q, b, h), *const of_k = rows_of(g.k, b, h);
    const auto weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    const Index length = real_tokens(options.key_lengths, b, k.extent(2));
    // Key j is in the statistics of all queries from j on: d mu_i = 1/n_i and d sigma_i^2 = 2 (k_j - mu_i)/n_i are
    // summed over them as constant + slope k_j while j goes down.
    Row constants(static_cast<std::size_t>(dim)), slopes(constants.size()), of_weight(constants.size());
    double *const constant = constants.data(), *const slope = slopes.data(), *const d_weight = of_weight.data();
    for (Index i = q.extent(2) - 1; i >= 0; --i) {
      const T *const x = queries + i * dim, *const in_row = gradients + i * dim;
      const double *const mean = means + i * dim, *const inverse = inverses + i * dim;
      T* const to_q = of_q + i * dim;
      const Index count = seen_by(i, length);
      const double share = count > 0 ? 1 / static_cast<double>(count) : 0;
      const double through_variance = options.normalised ? -1 : 0;
      for (Index d = 0; d < dim; ++d) {
        const double r2 = inverse[d] * inverse[d], in = static_cast<double>(in_row[d]);
        const double centred = static_cast<double>(x[d]) - weight * mean[d];
        to_q[d] = static_cast<T>(in * r2);
        d_weight[d] -= in * r2 * mean[d];
        const double d_variance = through_variance * in * centred * r2 * r2;
        slope[d] += 2 * d_variance * share;
        constant[d] += (-weight * in * r2 - 2 * d_variance * mean[d]) * share;
      }
      if (i >= length) continue;
      const T* const key = keys + i * dim;
      T* const to_k = of_k + i * dim;
      for (Index d = 0; d < dim; ++d)
        to_k[d] = static_cast<T>(static_cast<double>(to_k[d]) + constant[d] + slope[d] * static_cast<double>(key[d]));
    }
    add_beta(of_weight, g.beta, d_beta, h);
  });
  return g;
}

}  // namespace

template <typename T>
Recentred<T> recentre(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                      const RecentreOptions& options) {
  if (!(options.epsilon > 0)) throw std::invalid_argument("recentre: epsilon must be above 0");
  if (options.prefix) return recentre_prefix(q, k, beta, options);
  const Index dim = q.extent(3);
  const Shape of_heads{q.extent(0), q.extent(1), 1, dim};
  Recentred<T> r{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<double>(of_heads), Tensor<double>(of_heads)};
  for_each_head(q, [&](Index b, Index h) {
    const KeyStatistics statistics(rows_of(k, b, h), real_tokens(options.key_lengths, b, k.extent(2)), dim,
                                   static_cast<double>(beta[static_cast<std::size_t>(h)]), options);
    std::copy(statistics.mean.begin(), statistics.mean.end(), rows_of(r.mean, b, h));
    std::copy(statistics.inverse.begin(), statistics.inverse.end(), rows_of(r.inverse, b, h));
    const double *const shift = statistics.shift.data(), *const inverse = statistics.inverse.data();
    scale_rows(rows_of(q, b, h), dim, q.extent(2), dim, shift, inverse, rows_of(r.q, b, h), dim);
    scale_rows(rows_of(k, b, h), dim, k.extent(2), dim, shift, inverse, rows_of(r.k, b, h), dim);
  });
  return r;
}

template <typename T>
RecentreGradients<T> recentre_backward(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                                       const RecentreOptions& options, const Recentred<T>& r, const Tensor<T>& dq,
                                       const Tensor<T>& dk) {
  if (options.prefix) return recentre_prefix_backward(q, k, beta, options, r, dq, dk);
  RecentreGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), std::vector<T>(beta.size(), T(0))};
  Row d_beta(beta.size());
  const Index dim = q.extent(3);
  for_each_head(q, [&](Index b, Index h) {
    const T *const keys = rows_of(k, b, h), *const in_q = rows_of(dq, b, h), *const in_k = rows_of(dk, b, h);
    const auto weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    KeyStatistics statistics;
    statistics.mean.assign(rows_of(r.mean, b, h), rows_of(r.mean, b, h) + dim);
    statistics.inverse.assign(rows_of(r.inverse, b, h), rows_of(r.inverse, b, h) + dim);
    for (const double mean : statistics.mean) statistics.shift.push_back(mean * weight);
    StatisticsGradients sums(dim);
    sums.add(rows_of(q, b, h), in_q, dim, q.extent(2), statistics);
    sums.add(keys, in_k, dim, k.extent(2), statistics);
    const Index length = real_tokens(options.key_lengths, b, k.extent(2));
    sums.finish(statistics, weight, length, options.normalised);
    add_beta(sums.of_beta, g.beta, d_beta, h);
    const Row zero(static_cast<std::size_t>(dim));
    const double* const inverse = statistics.inverse.data();
    scale_rows(in_q, dim, q.extent(2), dim, zero.data(), inverse, rows_of(g.q, b, h), dim);
    T* const of_k = rows_of(g.k, b, h);
    sums.write_keys(keys, in_k, dim, length, statistics, of_k);
    scale_rows(in_k + length * dim, dim, k.extent(2) - length, dim, zero.data(), inverse, of_k + length * dim, dim);
  });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                                        \
  template Recentred<T> recentre(const Tensor<T>&, const Tensor<T>&, const std::vector<T>&, const RecentreOptions&); \
  template RecentreGradients<T> recentre_backward(const Tensor<T>&, const Tensor<T>&, const std::vector<T>&,         \
                                                  const RecentreOptions&, const Recentred<T>&, const Tensor<T>&,     \
                                                  const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
