// What stands before the attention of one head, as matrix algebra, forward and backward.
#pragma once

#include "tests/kernels/attention/plain/matrix.hpp"

namespace attest::attention::plain {

template <typename S>
struct Recentred {
  Matrix<S> mean, centred_q, centred_k, inverse, q, k;
};

/// (x - beta mu) s^-1 for queries and keys; `inverse` is empty without normalisation.
template <typename S>
Recentred<S> recentred(const Matrix<S>& q, const Matrix<S>& k, S beta, bool normalised, S epsilon) {
  Recentred<S> r{Matrix<S>(1, q.cols), q, k, {}, {}, {}};
  const S count(static_cast<double>(k.rows));
  if (normalised) r.inverse = Matrix<S>(1, q.cols);
  for (Index d = 0; d < q.cols; ++d) {
    S& mean = r.mean(0, d);
    for (Index j = 0; j < k.rows; ++j) mean = mean + k(j, d);
    mean = mean / count;
    const S shift = beta * mean;
    for (Index i = 0; i < q.rows; ++i) r.centred_q(i, d) = q(i, d) - shift;
    for (Index j = 0; j < k.rows; ++j) r.centred_k(j, d) = k(j, d) - shift;
    if (!normalised) continue;
    S variance(0);
    for (Index j = 0; j < k.rows; ++j) {
      const S deviation = k(j, d) - mean;
      variance = multiply_add(variance, deviation, deviation);
    }
    r.inverse(0, d) = S(1) / square_root(variance / count + epsilon);
  }
  r.q = r.centred_q;
  r.k = r.centred_k;
  for (Matrix<S>* x : {&r.q, &r.k})
    for (Index i = 0; normalised && i < x->rows; ++i)
      for (Index d = 0; d < q.cols; ++d) (*x)(i, d) = (*x)(i, d) * r.inverse(0, d);
  return r;
}

template <typename S>
struct RecentredGradients {
  Matrix<S> q, k;
  S beta = S(0);
};

/// Gradients for (dq, dk) of the recentred arrays; the centred arrays are formed again.
template <typename S>
RecentredGradients<S> recentred_gradients(const Matrix<S>& q, const Matrix<S>& k, S beta, bool learnable,
                                          const Recentred<S>& f, Matrix<S> dq, Matrix<S> dk) {
  const bool normalised = !f.inverse.entries.empty();
  RecentredGradients<S> g;
  const double count = static_cast<double>(k.rows);
  for (Index d = 0; d < q.cols; ++d) {
    const S mean = f.mean(0, d);
    S d_inverse(0), d_shift(0);
    if (normalised) {
      const S shift = beta * mean;
      for (Index i = 0; i < q.rows; ++i) d_inverse = multiply_add(d_inverse, dq(i, d), q(i, d) - shift);
      for (Index j = 0; j < k.rows; ++j) d_inverse = multiply_add(d_inverse, dk(j, d), k(j, d) - shift);
      for (Index i = 0; i < q.rows; ++i) dq(i, d) = dq(i, d) * f.inverse(0, d);
      for (Index j = 0; j < k.rows; ++j) dk(j, d) = dk(j, d) * f.inverse(0, d);
    }
    for (Index i = 0; i < q.rows; ++i) d_shift = d_shift + dq(i, d);
    for (Index j = 0; j < k.rows; ++j) d_shift = d_shift + dk(j, d);
    d_shift = -d_shift;
    if (learnable) g.beta = multiply_add(g.beta, d_shift, mean);
    const S d_mean = beta * d_shift / S(count);
    for (Index j = 0; j < k.rows; ++j) dk(j, d) = dk(j, d) + d_mean;
    if (!normalised) continue;
    const S r = f.inverse(0, d), d_square = d_inverse * r * r * r * S(-1 / count);
    for (Index j = 0; j < k.rows; ++j) dk(j, d) = multiply_add(dk(j, d), d_square, k(j, d) - mean);
  }
  g.q = dq;
  g.k = dk;
  return g;
}

/// Depth-wise convolution with one kernel for all features, zero `same` padding, cross-correlation.
template <typename S>
Matrix<S> convolved(const Matrix<S>& x, const std::vector<S>& kernel, Index before) {
  Matrix<S> y(x.rows, x.cols);
  for (Index i = 0; i < x.rows; ++i)
    for (Index t = 0; t < static_cast<Index>(kernel.size()); ++t) {
      const Index from = i + t - before;
      for (Index d = 0; d < x.cols; ++d)
        y(i, d) =
            multiply_add(y(i, d), kernel[static_cast<std::size_t>(t)], from < 0 || from >= x.rows ? S(0) : x(from, d));
    }
  return y;
}

template <typename S>
struct ConvolvedGradients {
  Matrix<S> x;
  std::vector<S> kernel;
};

/// Gradients of sum(convolved(x) * dy); what the padding would get is counted, as its zeros are forward.
template <typename S>
ConvolvedGradients<S> convolved_gradients(const Matrix<S>& x, const std::vector<S>& kernel, Index before,
                                          const Matrix<S>& dy) {
  ConvolvedGradients<S> g{Matrix<S>(x.rows, x.cols), std::vector<S>(kernel.size(), S(0))};
  S padding(0);
  for (Index i = 0; i < x.rows; ++i)
    for (std::size_t t = 0; t < kernel.size(); ++t) {
      const Index from = i + static_cast<Index>(t) - before;
      const bool inside = from >= 0 && from < x.rows;
      for (Index d = 0; d < x.cols; ++d) {
        S& to = inside ? g.x(from, d) : padding;
        to = multiply_add(to, kernel[t], dy(i, d));
        g.kernel[t] = multiply_add(g.kernel[t], inside ? x(from, d) : S(0), dy(i, d));
      }
    }
  return g;
}

}  // namespace attest::attention::plain
