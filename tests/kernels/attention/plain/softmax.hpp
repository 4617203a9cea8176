// Softmax attention and twicing of one head as matrix algebra, forward and backward: with the weights kept, and with
// the weights formed again going back.
#pragma once

#include <limits>

#include "tests/kernels/attention/plain/matrix.hpp"

namespace attest::attention::plain {

template <typename S>
struct Gradients {
  Matrix<S> q, k, v;
};

/// exp(x - max) of each row, over its sum; in place.
template <typename S>
void normalise_rows(Matrix<S>& x) {
  for (Index i = 0; i < x.rows; ++i) {
    S largest(-std::numeric_limits<double>::infinity()), sum(0);
    for (Index j = 0; j < x.cols; ++j) largest = maximum(largest, x(i, j));
    for (Index j = 0; j < x.cols; ++j) sum = sum + (x(i, j) = exponent(x(i, j) - largest));
    for (Index j = 0; j < x.cols; ++j) x(i, j) = x(i, j) / sum;
  }
}

template <typename S>
Matrix<S> weights(const Matrix<S>& q, const Matrix<S>& k, S scale) {
  Matrix<S> a = product(q, transposed(k)) * scale;
  normalise_rows(a);
  return a;
}

/// dS = A (dA - sum_j A dA) for A = softmax(S), row by row; `da` is overwritten.
template <typename S>
void softmax_backward(const Matrix<S>& a, Matrix<S>& da) {
  for (Index i = 0; i < a.rows; ++i) {
    S mean(0);
    for (Index j = 0; j < a.cols; ++j) mean = multiply_add(mean, a(i, j), da(i, j));
    for (Index j = 0; j < a.cols; ++j) da(i, j) = a(i, j) * (da(i, j) - mean);
  }
}

template <typename S>
Gradients<S> softmax_gradients(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale, const Matrix<S>& a,
                               const Matrix<S>& dout) {
  Matrix<S> da = product(dout, transposed(v));
  softmax_backward(a, da);
  da = da * scale;
  return {product(da, k), product(transposed(da), q), product(transposed(a), dout)};
}

/// R = V - A V; the output is A V + A R.
template <typename S>
struct Twiced {
  Matrix<S> a, r, out;
};

template <typename S>
Twiced<S> twiced(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale) {
  Matrix<S> a = weights(q, k, scale), u = product(a, v), r = v - u, out = product_onto(u, a, r);
  return {a, r, out};
}

template <typename S>
Gradients<S> twicing_gradients(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale, const Twiced<S>& t,
                               const Matrix<S>& dout) {
  Matrix<S> dr = product(transposed(t.a), dout), du = dout - dr;
  Matrix<S> da = product_onto(product(dout, transposed(t.r)), du, transposed(v));
  softmax_backward(t.a, da);
  da = da * scale;
  return {product(da, k), product(transposed(da), q), product_onto(dr, transposed(t.a), du)};
}

/// What `attend` keeps: the output and log sum_j exp(logit_ij).
template <typename S>
struct Streamed {
  Matrix<S> out;
  std::vector<S> log_normaliser;
};

/// One query after the other over the keys that `sees(i, j)` shows; the weights of one query at a time.
template <typename S, typename Sees>
Streamed<S> streamed(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale, Sees sees) {
  Streamed<S> result{Matrix<S>(q.rows, v.cols), {}};
  for (Index i = 0; i < q.rows; ++i) {
    std::vector<S> logit(static_cast<std::size_t>(k.rows), S(0));
    S largest(-std::numeric_limits<double>::infinity()), sum(0);
    for (Index j = 0; j < k.rows; ++j)
      if (sees(i, j)) {
        S& x = logit[static_cast<std::size_t>(j)];
        for (Index d = 0; d < q.cols; ++d) x = multiply_add(x, q(i, d), k(j, d));
        x = x * scale;
        largest = maximum(largest, x);
      }
    for (Index j = 0; j < k.rows; ++j)
      if (sees(i, j)) {
        const S weight = exponent(logit[static_cast<std::size_t>(j)] - largest);
        sum = sum + weight;
        for (Index d = 0; d < v.cols; ++d) result.out(i, d) = multiply_add(result.out(i, d), weight, v(j, d));
      }
    for (Index d = 0; d < v.cols; ++d) result.out(i, d) = result.out(i, d) / sum;
    result.log_normaliser.push_back(largest + logarithm(sum));
  }
  return result;
}

template <typename S, typename Sees>
Gradients<S> streamed_gradients(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale, Sees sees,
                                const Streamed<S>& forward, const Matrix<S>& dout) {
  Gradients<S> g{Matrix<S>(q.rows, q.cols), Matrix<S>(k.rows, k.cols), Matrix<S>(v.rows, v.cols)};
  for (Index i = 0; i < q.rows; ++i) {
    S mean(0);
    for (Index d = 0; d < v.cols; ++d) mean = multiply_add(mean, dout(i, d), forward.out(i, d));
    for (Index j = 0; j < k.rows; ++j)
      if (sees(i, j)) {
        S x(0), da(0);
        for (Index d = 0; d < q.cols; ++d) x = multiply_add(x, q(i, d), k(j, d));
        const S weight = exponent(x * scale - forward.log_normaliser[static_cast<std::size_t>(i)]);
        for (Index d = 0; d < v.cols; ++d) {
          da = multiply_add(da, dout(i, d), v(j, d));
          g.v(j, d) = multiply_add(g.v(j, d), weight, dout(i, d));
        }
        const S ds = weight * (da - mean) * scale;
        for (Index d = 0; d < q.cols; ++d) {
          g.q(i, d) = multiply_add(g.q(i, d), ds, k(j, d));
          g.k(j, d) = multiply_add(g.k(j, d), ds, q(i, d));
        }
      }
  }
  return g;
}

/// Twicing in two passes each way, as the library does: A W with W = 2 V - U, U = A V.
template <typename S>
struct StreamedTwice {
  Streamed<S> first, second;
  Matrix<S> w;
};

template <typename S>
Matrix<S> reflected(const Matrix<S>& v, const Matrix<S>& u) {
  return combined(v, u, [](const S& x, const S& y) { return S(2) * x - y; });
}

template <typename S, typename Sees>
StreamedTwice<S> streamed_twice(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale, Sees sees) {
  StreamedTwice<S> t{streamed(q, k, v, scale, sees), {}, {}};
  t.w = reflected(v, t.first.out);
  t.second = streamed(q, k, t.w, scale, sees);
  return t;
}

template <typename S, typename Sees>
Gradients<S> streamed_twice_gradients(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, S scale, Sees sees,
                                      const StreamedTwice<S>& t, const Matrix<S>& dout) {
  Gradients<S> g{Matrix<S>(q.rows, q.cols), Matrix<S>(k.rows, k.cols), Matrix<S>(v.rows, v.cols)};
  const Matrix<S> w = reflected(v, t.first.out);
  const auto weight = [&](Index i, Index j) {
    S x(0);
    for (Index d = 0; d < q.cols; ++d) x = multiply_add(x, q(i, d), k(j, d));
    return exponent(x * scale - t.first.log_normaliser[static_cast<std::size_t>(i)]);
  };
  Matrix<S> du(v.rows, v.cols);  // -A^T dout
  for (Index i = 0; i < q.rows; ++i)
    for (Index j = 0; j < k.rows; ++j)
      if (sees(i, j)) {
        const S a = weight(i, j);
        for (Index d = 0; d < v.cols; ++d) du(j, d) = multiply_add(du(j, d), a, dout(i, d));
      }
  for (S& entry : du.entries) entry = -entry;
  for (Index i = 0; i < q.rows; ++i) {
    S mean(0);
    for (Index d = 0; d < v.cols; ++d) mean = multiply_add(mean, du(i, d), t.first.out(i, d));
    for (Index d = 0; d < v.cols; ++d) mean = multiply_add(mean, dout(i, d), t.second.out(i, d));
    for (Index j = 0; j < k.rows; ++j)
      if (sees(i, j)) {
        const S a = weight(i, j);
        S da(0);
        for (Index d = 0; d < v.cols; ++d) {
          da = multiply_add(multiply_add(da, du(i, d), v(j, d)), dout(i, d), w(j, d));
          g.v(j, d) = multiply_add(g.v(j, d), a, du(i, d));
        }
        const S ds = a * (da - mean) * scale;
        for (Index d = 0; d < q.cols; ++d) {
          g.q(i, d) = multiply_add(g.q(i, d), ds, k(j, d));
          g.k(j, d) = multiply_add(g.k(j, d), ds, q(i, d));
        }
      }
  }
  g.v = combined(g.v, du, [](const S& x, const S& y) { return x - S(2) * y; });
  return g;
}

}  // namespace attest::attention::plain
