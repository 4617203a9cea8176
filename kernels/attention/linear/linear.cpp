#include "kernels/attention/linear/linear.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Extents, and one head of one sequence at a time in double.
template <typename T>
struct Problem {
  const Tensor<T>&q, &k, &v;
  const LinearOptions& options;
  Index dim = q.extent(3), width = v.extent(3) + 1, queries = q.extent(2), heads = q.extent(1);

  Index length(Index b) const {
    return options.key_lengths.empty() ? k.extent(2) : options.key_lengths[static_cast<std::size_t>(b)];
  }
  /// Keys that query i of sequence b sees are 0..seen-1.
  Index seen(Index b, Index i) const { return options.causal ? std::min(i + 1, length(b)) : length(b); }
};

void features(const auto* x, std::vector<double>& phi) {
  for (std::size_t d = 0; d < phi.size(); ++d) {
    const double value = static_cast<double>(x[d]);
    phi[d] = value > 0 ? value + 1 : std::exp(value);
  }
}

/// [v_j, 1].
void extended(const auto* v, std::vector<double>& row) {
  for (std::size_t d = 0; d + 1 < row.size(); ++d) row[d] = static_cast<double>(v[d]);
  row.back() = 1;
}

/// state += a b^T.
void add_outer(double* state, const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t d = 0; d < a.size(); ++d)
    for (std::size_t e = 0; e < b.size(); ++e) state[d * b.size() + e] += a[d] * b[e];
}

/// row = state^T a.
void from_left(const double* state, const std::vector<double>& a, std::vector<double>& row) {
  std::fill(row.begin(), row.end(), 0.0);
  for (std::size_t d = 0; d < a.size(); ++d)
    for (std::size_t e = 0; e < row.size(); ++e) row[e] += a[d] * state[d * row.size() + e];
}

/// column = state b.
void from_right(const double* state, const std::vector<double>& b, std::vector<double>& column) {
  for (std::size_t d = 0; d < column.size(); ++d) {
    double sum = 0;
    for (std::size_t e = 0; e < b.size(); ++e) sum += state[d * b.size() + e] * b[e];
    column[d] = sum;
  }
}

/// Buffers of one head.
struct Rows {
  std::vector<double> phi, extended_v, y, d_phi;
  Rows(Index dim, Index width)
      : phi(static_cast<std::size_t>(dim)),
        extended_v(static_cast<std::size_t>(width)),
        y(extended_v.size()),
        d_phi(phi.size()) {}
};

template <typename T>
void add_key(const Problem<T>& p, Index b, Index h, Index j, double* state, Rows& rows) {
  features(&p.k.at(b, h, j, 0), rows.phi);
  extended(&p.v.at(b, h, j, 0), rows.extended_v);
  add_outer(state, rows.phi, rows.extended_v);
}

template <typename T>
void forward_head(const Problem<T>& p, Index b, Index h, double* state, LinearAttended<T>& result) {
  Rows rows(p.dim, p.width);
  Index added = 0;
  for (Index i = 0; i < p.queries; ++i) {
    for (; added < p.seen(b, i); ++added) add_key(p, b, h, added, state, rows);
    features(&p.q.at(b, h, i, 0), rows.phi);
    from_left(state, rows.phi, rows.y);
    const double denominator = rows.y.back() + p.options.epsilon;
    result.denominator.values()[static_cast<std::size_t>((b * p.heads + h) * p.queries + i)] = denominator;
    for (Index d = 0; d + 1 < p.width; ++d)
      result.out.at(b, h, i, d) = static_cast<T>(rows.y[static_cast<std::size_t>(d)] / denominator);
  }
}

/// d phi -> dx, by phi' = min(phi, 1).
template <typename T>
void through_features(const std::vector<double>& phi, const std::vector<double>& d_phi, T* dx) {
  for (std::size_t d = 0; d < phi.size(); ++d) dx[d] = static_cast<T>(d_phi[d] * std::min(phi[d], 1.0));
}

template <typename T>
void backward_head(const Problem<T>& p, Index b, Index h, const LinearAttended<T>& attended, const Tensor<T>& dout,
                   LinearGradients<T>& g) {
  Rows rows(p.dim, p.width);
  const std::size_t size = rows.phi.size() * rows.y.size();
  std::vector<double> running(p.options.causal ? size : 0), d_state(size),
      dy(static_cast<std::size_t>(p.queries) * rows.y.size());
  const double* state =
      p.options.causal ? running.data() : attended.state.data() + (b * p.heads + h) * static_cast<Index>(size);
  Index added = p.options.causal ? 0 : p.length(b);
  // Queries, with the sums over the keys they see; what each sends to those sums is kept.
  for (Index i = 0; i < p.queries; ++i) {
    for (; added < p.seen(b, i); ++added) add_key(p, b, h, added, running.data(), rows);
    const double denominator =
        attended.denominator.values()[static_cast<std::size_t>((b * p.heads + h) * p.queries + i)];
    features(&p.q.at(b, h, i, 0), rows.phi);
    from_left(state, rows.phi,
              rows.y);  // the output before its rounding: what is taken from it below may nearly cancel
    double mean = 0;
    for (Index d = 0; d + 1 < p.width; ++d) {
      const double in = static_cast<double>(dout.at(b, h, i, d));
      double& y = rows.y[static_cast<std::size_t>(d)];
      mean += in * (y / denominator);
      y = in / denominator;
    }
    rows.y.back() = -mean / denominator;
    from_right(state, rows.y, rows.d_phi);
    through_features(rows.phi, rows.d_phi, &g.q.at(b, h, i, 0));
    std::copy(rows.y.begin(), rows.y.end(), dy.begin() + i * p.width);
  }
  // Keys, last to first: key j has been seen by the queries from j on under a causal mask, by all otherwise.
  Index query = p.queries;
  for (Index j = p.length(b) - 1; j >= 0; --j) {
    for (; query > 0 && p.seen(b, query - 1) > j; --query) {
      features(&p.q.at(b, h, query - 1, 0), rows.phi);
      std::copy_n(dy.begin() + (query - 1) * p.width, p.width, rows.y.begin());
      add_outer(d_state.data(), rows.phi, rows.y);
    }
    features(&p.k.at(b, h, j, 0), rows.phi);
    extended(&p.v.at(b, h, j, 0), rows.extended_v);
    from_right(d_state.data(), rows.extended_v, rows.d_phi);
    through_features(rows.phi, rows.d_phi, &g.k.at(b, h, j, 0));
    from_left(d_state.data(), rows.phi, rows.y);
    for (Index d = 0; d + 1 < p.width; ++d) g.v.at(b, h, j, d) = static_cast<T>(rows.y[static_cast<std::size_t>(d)]);
  }
}

}  // namespace

template <typename T>
LinearAttended<T> linear_attend(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                const LinearOptions& options) {
  if (!(options.epsilon > 0)) throw std::invalid_argument("linear_attend: epsilon must be above 0");
  const Problem<T> p{q, k, v, options};
  const Index batch = q.extent(0), size = p.dim * p.width;
  LinearAttended<T> result{Tensor<T>({batch, p.heads, p.queries, p.width - 1}), Tensor<double>(),
                           Tensor<double>({batch, p.heads, p.queries})};
  if (!options.causal) result.state = Tensor<double>({batch, p.heads, p.dim, p.width});
  parallel::for_each_block(batch * p.heads, options.threads, [&](std::int64_t head) {
    std::vector<double> running(static_cast<std::size_t>(options.causal ? size : 0));
    double* state = options.causal ? running.data() : result.state.data() + head * size;
    forward_head(p, head / p.heads, head % p.heads, state, result);
  });
  return result;
}

template <typename T>
LinearGradients<T> linear_attend_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                          const LinearOptions& options, const LinearAttended<T>& attended,
                                          const Tensor<T>& dout) {
  const Problem<T> p{q, k, v, options};
  LinearGradients<T> g{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape())};
  parallel::for_each_block(q.extent(0) * p.heads, options.threads, [&](std::int64_t head) {
    backward_head(p, head / p.heads, head % p.heads, attended, dout, g);
  });
  return g;
}

#define ATTEST_INSTANTIATE(T)                                                                              \
  template LinearAttended<T> linear_attend(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,           \
                                           const LinearOptions&);                                          \
  template LinearGradients<T> linear_attend_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                     const LinearOptions&, const LinearAttended<T>&,       \
                                                     const Tensor<T>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
