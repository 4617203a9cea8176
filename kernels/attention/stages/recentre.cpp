#include "kernels/attention/stages/recentre.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace attest::attention {
namespace {

// Every sum runs along the tokens and is one of a row of sums, one per feature: rows are read as they lie in memory,
// and the features of a row are independent.
using Row = std::vector<double>;

Index real_keys(const RecentreOptions& options, Index b, Index keys) {
  return options.key_lengths.empty() ? keys : options.key_lengths[static_cast<std::size_t>(b)];
}

/// Keys that query i sees under a causal mask.
Index seen_by(Index i, Index length) { return std::min(i + 1, length); }

/// 1/sqrt(sum_of_squares/count + epsilon) of each feature, or 1.
void fill_inverse_deviations(const double* sums_of_squares, Index dim, Index count, const RecentreOptions& options,
                             double* inverse) {
  const auto n = static_cast<double>(std::max<Index>(count, 1));
  for (Index d = 0; d < dim; ++d)
    inverse[d] = options.normalised ? 1 / std::sqrt(sums_of_squares[d] / n + options.epsilon) : 1;
}

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
    const double weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    const Index length = real_keys(options, b, k.extent(2));
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
    const double weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    const Index length = real_keys(options, b, k.extent(2));
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

/// Mean and inverse deviation of each feature of the first `length` keys.
template <typename T>
void fill_statistics(const T* keys, Index length, Index dim, const RecentreOptions& options, double* mean,
                     double* inverse) {
  Row squares(static_cast<std::size_t>(dim));
  std::fill(mean, mean + dim, 0.0);
  for (Index j = 0; j < length; ++j)
    for (Index d = 0; d < dim; ++d) mean[d] += static_cast<double>(keys[j * dim + d]);
  for (Index d = 0; d < dim; ++d) mean[d] /= static_cast<double>(std::max<Index>(length, 1));
  double* const s = squares.data();
  for (Index j = 0; j < length; ++j)
    for (Index d = 0; d < dim; ++d) {
      const double deviation = static_cast<double>(keys[j * dim + d]) - mean[d];
      s[d] += deviation * deviation;
    }
  fill_inverse_deviations(s, dim, length, options, inverse);
}

/// (x - shift) inverse of every row.
template <typename T>
void scale_rows(const T* x, Index rows, Index dim, const double* shift, const double* inverse, T* to) {
  for (Index i = 0; i < rows; ++i)
    for (Index d = 0; d < dim; ++d)
      to[i * dim + d] = static_cast<T>((static_cast<double>(x[i * dim + d]) - shift[d]) * inverse[d]);
}

/// Adds what the gradients of rows of q' or k' mean for the shift and for the inverse deviation.
template <typename T>
void add_statistics_gradients(const T* x, const T* gradients, Index rows, Index dim, const double* shift,
                              const double* inverse, double* d_shift, double* d_inverse) {
  for (Index i = 0; i < rows; ++i)
    for (Index d = 0; d < dim; ++d) {
      const double in = static_cast<double>(gradients[i * dim + d]);
      d_shift[d] -= in * inverse[d];
      d_inverse[d] += in * (static_cast<double>(x[i * dim + d]) - shift[d]);
    }
}

}  // namespace

template <typename T>
Recentred<T> recentre(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                      const RecentreOptions& options) {
  if (!(options.epsilon > 0)) throw std::invalid_argument("recentre: epsilon must be above 0");
  if (options.prefix) return recentre_prefix(q, k, beta, options);
  const Index dim = q.extent(3);
  const Shape statistics{q.extent(0), q.extent(1), 1, dim};
  Recentred<T> r{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<double>(statistics), Tensor<double>(statistics)};
  for_each_head(q, [&](Index b, Index h) {
    double *const mean = rows_of(r.mean, b, h), *const inverse = rows_of(r.inverse, b, h);
    fill_statistics(rows_of(k, b, h), real_keys(options, b, k.extent(2)), dim, options, mean, inverse);
    Row shift(mean, mean + dim);
    for (double& entry : shift) entry *= static_cast<double>(beta[static_cast<std::size_t>(h)]);
    scale_rows(rows_of(q, b, h), q.extent(2), dim, shift.data(), inverse, rows_of(r.q, b, h));
    scale_rows(rows_of(k, b, h), k.extent(2), dim, shift.data(), inverse, rows_of(r.k, b, h));
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
  const auto width = static_cast<std::size_t>(dim);
  for_each_head(q, [&](Index b, Index h) {
    const T *const keys = rows_of(k, b, h), *const in_q = rows_of(dq, b, h), *const in_k = rows_of(dk, b, h);
    const double *const mean = rows_of(r.mean, b, h), *const inverse = rows_of(r.inverse, b, h);
    const double weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    Row shift(mean, mean + dim), d_shift(width), d_inverse(width), of_weight(width), of_mean(width), of_key(width);
    for (double& entry : shift) entry *= weight;
    add_statistics_gradients(rows_of(q, b, h), in_q, q.extent(2), dim, shift.data(), inverse, d_shift.data(),
                             d_inverse.data());
    add_statistics_gradients(keys, in_k, k.extent(2), dim, shift.data(), inverse, d_shift.data(), d_inverse.data());
    const Index length = real_keys(options, b, k.extent(2));
    const double n = static_cast<double>(std::max<Index>(length, 1));
    for (std::size_t d = 0; d < width; ++d) {
      of_weight[d] = d_shift[d] * mean[d];
      of_mean[d] = weight * d_shift[d] / n;
      of_key[d] = options.normalised ? -d_inverse[d] * inverse[d] * inverse[d] * inverse[d] / n : 0;
    }
    add_beta(of_weight, g.beta, d_beta, h);
    const Row zero(width);
    scale_rows(in_q, q.extent(2), dim, zero.data(), inverse, rows_of(g.q, b, h));
    T* const of_k = rows_of(g.k, b, h);
    scale_rows(in_k, k.extent(2), dim, zero.data(), inverse, of_k);
    const double *const through_mean = of_mean.data(), *const through_key = of_key.data();
    for (Index j = 0; j < length; ++j) {
      const T *const in = in_k + j * dim, *const key = keys + j * dim;
      for (Index d = 0; d < dim; ++d)
        of_k[j * dim + d] =
            static_cast<T>(static_cast<double>(in[d]) * inverse[d] +
                           (through_mean[d] + through_key[d] * (static_cast<double>(key[d]) - mean[d])));
    }
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
