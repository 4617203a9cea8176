#include "kernels/attention/stages/recentre.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attest::attention {
namespace {

/// One feature of one head of one sequence: entries at a stride.
template <typename T>
struct Column {
  T* data;
  Index stride;
  T& operator[](Index n) const { return data[n * stride]; }
};

template <typename T>
Column<T> column(Tensor<T>& x, Index b, Index h, Index d) {
  return {&x.at(b, h, 0, d), x.extent(3)};
}
template <typename T>
Column<const T> column(const Tensor<T>& x, Index b, Index h, Index d) {
  return {&x.at(b, h, 0, d), x.extent(3)};
}

Index real_keys(const RecentreOptions& options, Index b, Index keys) {
  return options.key_lengths.empty() ? keys : options.key_lengths[static_cast<std::size_t>(b)];
}

/// Keys that query i sees under a causal mask.
Index seen_by(Index i, Index length) { return std::min(i + 1, length); }

double inverse_deviation(double sum_of_squares, Index count, const RecentreOptions& options) {
  if (!options.normalised) return 1;
  return 1 / std::sqrt(sum_of_squares / static_cast<double>(std::max<Index>(count, 1)) + options.epsilon);
}

template <typename T, typename F>
void for_each_column(const Tensor<T>& q, F f) {
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h)
      for (Index d = 0; d < q.extent(3); ++d) f(b, h, d);
}

template <typename T>
Recentred<T> recentre_prefix(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                             const RecentreOptions& options) {
  Recentred<T> r{Tensor<T>(q.shape()), k, Tensor<double>(q.shape()), Tensor<double>(q.shape())};
  for_each_column(q, [&](Index b, Index h, Index d) {
    const auto x = column(q, b, h, d), keys = column(k, b, h, d);
    const auto out = column(r.q, b, h, d);
    const auto mean_of = column(r.mean, b, h, d), inverse_of = column(r.inverse, b, h, d);
    const double weight = static_cast<double>(beta[static_cast<std::size_t>(h)]);
    const Index length = real_keys(options, b, k.extent(2));
    double mean = 0, squares = 0;
    for (Index i = 0; i < q.extent(2); ++i) {
      if (i < length) {  // one more key, by Welford's update
        const double deviation = static_cast<double>(keys[i]) - mean;
        mean += deviation / static_cast<double>(i + 1);
        squares += deviation * (static_cast<double>(keys[i]) - mean);
      }
      mean_of[i] = mean;
      inverse_of[i] = inverse_deviation(squares, seen_by(i, length), options);
      out[i] = static_cast<T>((static_cast<double>(x[i]) - weight * mean) * inverse_of[i] * inverse_of[i]);
    }
  });
  return r;
}

template <typename T>
RecentreGradients<T> recentre_prefix_backward(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                                              const RecentreOptions& options, const Recentred<T>& r,
                                              const Tensor<T>& dq, const Tensor<T>& dk) {
  RecentreGradients<T> g{Tensor<T>(q.shape()), dk, std::vector<T>(beta.size(), T(0))};
  std::vector<double> d_beta(beta.size(), 0.0);
  for_each_column(q, [&](Index b, Index h, Index d) {
    const auto x = column(q, b, h, d), keys = column(k, b, h, d), gradient = column(dq, b, h, d);
    const auto mean = column(r.mean, b, h, d), inverse = column(r.inverse, b, h, d);
    const auto of_q = column(g.q, b, h, d), of_k = column(g.k, b, h, d);
    const auto head = static_cast<std::size_t>(h);
    const double weight = static_cast<double>(beta[head]);
    const Index length = real_keys(options, b, k.extent(2));
    // Key j is in the statistics of all queries from j on: d mu_i = 1/n_i and d sigma_i^2 = 2 (k_j - mu_i)/n_i are
    // summed over them as constant + slope k_j while j goes down.
    double constant = 0, slope = 0;
    for (Index i = q.extent(2) - 1; i >= 0; --i) {
      const double r2 = inverse[i] * inverse[i], in = static_cast<double>(gradient[i]);
      const double centred = static_cast<double>(x[i]) - weight * mean[i];
      of_q[i] = static_cast<T>(in * r2);
      d_beta[head] -= in * r2 * mean[i];
      const Index count = seen_by(i, length);
      if (count > 0) {
        const double n = static_cast<double>(count);
        const double d_variance = options.normalised ? -in * centred * r2 * r2 : 0;
        slope += 2 * d_variance / n;
        constant += (-weight * in * r2 - 2 * d_variance * mean[i]) / n;
      }
      if (i < length)
        of_k[i] = static_cast<T>(static_cast<double>(of_k[i]) + constant + slope * static_cast<double>(keys[i]));
    }
  });
  for (std::size_t h = 0; h < beta.size(); ++h) g.beta[h] = static_cast<T>(d_beta[h]);
  return g;
}

}  // namespace

template <typename T>
Recentred<T> recentre(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                      const RecentreOptions& options) {
  if (!(options.epsilon > 0)) throw std::invalid_argument("recentre: epsilon must be above 0");
  if (options.prefix) return recentre_prefix(q, k, beta, options);
  const Shape statistics{q.extent(0), q.extent(1), 1, q.extent(3)};
  Recentred<T> r{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<double>(statistics), Tensor<double>(statistics)};
  for_each_column(q, [&](Index b, Index h, Index d) {
    const auto x = column(q, b, h, d), keys = column(k, b, h, d);
    const auto out_q = column(r.q, b, h, d), out_k = column(r.k, b, h, d);
    const Index length = real_keys(options, b, k.extent(2));
    double mean = 0, squares = 0;
    for (Index j = 0; j < length; ++j) mean += static_cast<double>(keys[j]);
    mean /= static_cast<double>(std::max<Index>(length, 1));
    for (Index j = 0; j < length; ++j) squares += std::pow(static_cast<double>(keys[j]) - mean, 2);
    const double inverse = inverse_deviation(squares, length, options);
    const double shift = static_cast<double>(beta[static_cast<std::size_t>(h)]) * mean;
    for (Index i = 0; i < q.extent(2); ++i) out_q[i] = static_cast<T>((static_cast<double>(x[i]) - shift) * inverse);
    for (Index j = 0; j < k.extent(2); ++j) out_k[j] = static_cast<T>((static_cast<double>(keys[j]) - shift) * inverse);
    r.mean.at(b, h, 0, d) = mean;
    r.inverse.at(b, h, 0, d) = inverse;
  });
  return r;
}

template <typename T>
RecentreGradients<T> recentre_backward(const Tensor<T>& q, const Tensor<T>& k, const std::vector<T>& beta,
                                       const RecentreOptions& options, const Recentred<T>& r, const Tensor<T>& dq,
                                       const Tensor<T>& dk) {
  if (options.prefix) return recentre_prefix_backward(q, k, beta, options, r, dq, dk);
  RecentreGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), std::vector<T>(beta.size(), T(0))};
  std::vector<double> d_beta(beta.size(), 0.0);
  for_each_column(q, [&](Index b, Index h, Index d) {
    const auto x = column(q, b, h, d), keys = column(k, b, h, d), in_q = column(dq, b, h, d),
               in_k = column(dk, b, h, d);
    const auto of_q = column(g.q, b, h, d), of_k = column(g.k, b, h, d);
    const auto head = static_cast<std::size_t>(h);
    const double mean = r.mean.at(b, h, 0, d), inverse = r.inverse.at(b, h, 0, d);
    const double weight = static_cast<double>(beta[head]), shift = weight * mean;
    double d_shift = 0, d_inverse = 0;
    for (Index i = 0; i < q.extent(2); ++i) {
      const double in = static_cast<double>(in_q[i]);
      d_shift -= in * inverse;
      d_inverse += in * (static_cast<double>(x[i]) - shift);
      of_q[i] = static_cast<T>(in * inverse);
    }
    for (Index j = 0; j < k.extent(2); ++j) {
      const double in = static_cast<double>(in_k[j]);
      d_shift -= in * inverse;
      d_inverse += in * (static_cast<double>(keys[j]) - shift);
    }
    d_beta[head] += d_shift * mean;
    const Index length = real_keys(options, b, k.extent(2));
    const double n = static_cast<double>(std::max<Index>(length, 1));
    const double d_square = options.normalised ? -d_inverse * inverse * inverse * inverse / n : 0;
    for (Index j = 0; j < k.extent(2); ++j) {
      double total = static_cast<double>(in_k[j]) * inverse;
      if (j < length) total += weight * d_shift / n + d_square * (static_cast<double>(keys[j]) - mean);
      of_k[j] = static_cast<T>(total);
    }
  });
  for (std::size_t h = 0; h < beta.size(); ++h) g.beta[h] = static_cast<T>(d_beta[h]);
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
