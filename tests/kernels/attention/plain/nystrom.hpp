// Nystrom attention of one head as matrix algebra, forward and backward.
#pragma once

#include <utility>

#include "tests/kernels/attention/plain/softmax.hpp"

namespace attest::attention::plain {

/// First row and number of rows of landmark r: the first (floor(n/m) + 1) m - n segments are one row shorter.
inline std::pair<Index, Index> segment(Index n, Index m, Index r) {
  const Index size = n / m, shorter = (size + 1) * m - n;
  return r < shorter ? std::pair{r * size, size} : std::pair{shorter * size + (r - shorter) * (size + 1), size + 1};
}

template <typename S>
Matrix<S> segment_means(const Matrix<S>& x, Index m) {
  Matrix<S> means(m, x.cols);
  for (Index r = 0; r < m; ++r) {
    const auto [first, size] = segment(x.rows, m, r);
    for (Index d = 0; d < x.cols; ++d) {
      for (Index i = first; i < first + size; ++i) means(r, d) = means(r, d) + x(i, d);
      means(r, d) = means(r, d) / S(static_cast<double>(size));
    }
  }
  return means;
}

template <typename S>
Matrix<S> segment_means_backward(Matrix<S> dx, Matrix<S> dmeans) {
  for (Index r = 0; r < dmeans.rows; ++r) {
    const auto [first, size] = segment(dx.rows, dmeans.rows, r);
    for (Index d = 0; d < dx.cols; ++d) {
      const S each = dmeans(r, d) / S(static_cast<double>(size));
      for (Index i = first; i < first + size; ++i) dx(i, d) = dx(i, d) + each;
    }
  }
  return dx;
}

/// multiple I - x.
template <typename S>
Matrix<S> identity_minus(double multiple, const Matrix<S>& x) {
  Matrix<S> result(x.rows, x.cols);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) result(i, j) = S(i == j ? multiple : 0) - x(i, j);
  return result;
}

template <typename S>
struct Step {
  Matrix<S> z, y, p, q, r;
};

template <typename S>
struct Nystrom {
  Matrix<S> qs, ks, qm, km, f, a, b, bv, zbv, out;
  S largest_column = S(0);
  Index column = 0;
  std::vector<Step<S>> steps;
  Matrix<S> z;
};

template <typename S>
Nystrom<S> nystrom(const Matrix<S>& q, const Matrix<S>& k, const Matrix<S>& v, Index landmarks, int iterations) {
  Nystrom<S> n;
  const S root(std::pow(static_cast<double>(q.cols), -0.25));
  n.qs = q * root;
  n.ks = k * root;
  n.qm = segment_means(n.qs, landmarks);
  n.km = segment_means(n.ks, landmarks);
  n.f = product(n.qs, transposed(n.km));
  n.a = product(n.qm, transposed(n.km));
  n.b = product(n.qm, transposed(n.ks));
  for (Matrix<S>* x : {&n.f, &n.a, &n.b}) normalise_rows(*x);
  for (Index j = 0; j < landmarks; ++j) {
    S sum(0);
    for (Index i = 0; i < landmarks; ++i) sum = sum + n.a(i, j);
    if (n.largest_column < sum) {
      n.largest_column = sum;
      n.column = j;
    }
  }
  n.z = transposed(n.a);
  for (S& z : n.z.entries) z = z / n.largest_column;
  for (int step = 0; step < iterations; ++step) {
    Step<S> s{n.z, product(n.a, n.z), {}, {}, {}};
    s.p = identity_minus(7, s.y);
    s.q = identity_minus(15, product(s.y, s.p));
    s.r = identity_minus(13, product(s.y, s.q));
    n.z = product(s.z, s.r) * S(0.25);
    n.steps.push_back(s);
  }
  n.bv = product(n.b, v);
  n.zbv = product(n.z, n.bv);
  n.out = product(n.f, n.zbv);
  return n;
}

template <typename S>
Gradients<S> nystrom_gradients(const Nystrom<S>& n, const Matrix<S>& v, const Matrix<S>& dout) {
  Matrix<S> df = product(dout, transposed(n.zbv));
  const Matrix<S> dx = product(transposed(n.f), dout), dw = product(transposed(n.z), dx);
  Matrix<S> dz = product(dx, transposed(n.bv)), db = product(dw, transposed(v)), da(n.a.rows, n.a.cols);
  const auto negate = [](const Matrix<S>& x) { return combined(x, x, [](const S& e, const S&) { return -e; }); };
  for (auto s = n.steps.rbegin(); s != n.steps.rend(); ++s) {
    const Matrix<S> g = dz * S(0.25), t = negate(product(transposed(s->z), g));
    const Matrix<S> t2 = negate(product(transposed(s->y), t));
    const Matrix<S> dy =
        product_onto(product(t, transposed(s->q)), t2, transposed(s->p)) - product(transposed(s->y), t2);
    dz = product_onto(product(g, transposed(s->r)), transposed(n.a), dy);
    da = product_onto(da, dy, transposed(s->z));
  }
  S dc(0);
  for (Index i = 0; i < n.a.rows; ++i)
    for (Index j = 0; j < n.a.cols; ++j) {
      dc = multiply_add(dc, dz(j, i), n.a(i, j));
      da(i, j) = da(i, j) + dz(j, i) / n.largest_column;
    }
  dc = -dc / n.largest_column / n.largest_column;
  for (Index i = 0; i < n.a.rows; ++i) da(i, n.column) = da(i, n.column) + dc;
  softmax_backward(n.f, df);
  softmax_backward(n.a, da);
  softmax_backward(n.b, db);
  Matrix<S> dqs = product(df, n.km), dks = product(transposed(db), n.qm);
  const Matrix<S> dqm = product_onto(product(da, n.km), db, n.ks);
  const Matrix<S> dkm = product_onto(product(transposed(df), n.qs), transposed(da), n.qm);
  const S root(std::pow(static_cast<double>(n.qs.cols), -0.25));
  return {segment_means_backward(dqs, dqm) * root, segment_means_backward(dks, dkm) * root,
          product(transposed(n.b), dw)};
}

}  // namespace attest::attention::plain
