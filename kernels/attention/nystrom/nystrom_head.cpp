#include "kernels/attention/nystrom/nystrom_head.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/attention/stages/distance_sums.hpp"

namespace attest::attention {
namespace {

using Eigen::Index, Eigen::MatrixXd;

/// First row and number of rows of segment r of m.
std::pair<Index, Index> segment(Index n, Index m, Index r) {
  const Index size = n / m, shorter = (size + 1) * m - n;
  return r < shorter ? std::pair{r * size, size} : std::pair{shorter * size + (r - shorter) * (size + 1), size + 1};
}

MatrixXd means(const MatrixXd& x, Index rows, Index m) {
  MatrixXd result(m, x.cols());
  for (Index r = 0; r < m; ++r) {
    const auto [first, size] = segment(rows, m, r);
    result.row(r) = x.middleRows(first, size).colwise().sum() / static_cast<double>(size);
  }
  return result;
}

void add_through_means(MatrixXd& dx, Index rows, const MatrixXd& dmeans) {
  for (Index r = 0; r < dmeans.rows(); ++r) {
    const auto [first, size] = segment(rows, dmeans.rows(), r);
    dx.middleRows(first, size).rowwise() += dmeans.row(r) / static_cast<double>(size);
  }
}

MatrixXd softmax_rows(MatrixXd x) {
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i) = (x.row(i).array() - x.row(i).maxCoeff()).exp();
    x.row(i) /= x.row(i).sum();
  }
  return x;
}

MatrixXd through_softmax(const MatrixXd& a, const MatrixXd& da) {
  const Eigen::VectorXd mean = a.cwiseProduct(da).rowwise().sum();
  return a.cwiseProduct(da.colwise() - mean);
}

/// Entry (i, r): the mean of |i - j| over the tokens j of segment r of m.
MatrixXd segment_distances(Index tokens, Index m, Index rows) {
  std::vector<double> shares(static_cast<std::size_t>(tokens * m), 0.0);
  for (Index r = 0; r < m; ++r) {
    const auto [first, size] = segment(tokens, m, r);
    for (Index j = first; j < first + size; ++j)
      shares[static_cast<std::size_t>(j * m + r)] = 1 / static_cast<double>(size);
  }
  const std::vector<double> distances = distance_sums(shares, m, rows);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(distances.data(), rows, m);
}

MatrixXd identity_minus(double multiple, const MatrixXd& x) {
  return multiple * MatrixXd::Identity(x.rows(), x.cols()) - x;
}

}  // namespace

void NystromHead::prepare(Index landmarks) {
  const Index m = std::min({landmarks, mean_rows, k.rows()});
  exact = m == mean_rows && m == k.rows();
  if (exact) {
    f = q * k.transpose();
    if (slope != 0) f -= slope * segment_distances(m, m, q.rows());
    f = softmax_rows(std::move(f));
    return;
  }
  q_means = means(q, mean_rows, m);
  k_means = means(k, k.rows(), m);
  f = q * k_means.transpose();
  a = q_means * k_means.transpose();
  g = q_means * k.transpose();
  if (slope != 0) {
    const MatrixXd to_landmarks = segment_distances(k.rows(), m, q.rows());
    f -= slope * to_landmarks;
    a -= slope * means(to_landmarks, mean_rows, m);
    g -= slope * segment_distances(mean_rows, m, k.rows()).transpose();
  }
  for (MatrixXd* logits : {&f, &a, &g}) *logits = softmax_rows(std::move(*logits));
  c = a.colwise().sum().maxCoeff(&column);
}

MatrixXd NystromHead::finish(int iterations) {
  if (exact) return f * v;
  z = a.transpose() / c;
  for (int step = 0; step < iterations; ++step) {
    NystromStep s;
    s.z = z;
    s.y = a * z;
    s.p = identity_minus(7, s.y);
    s.q = identity_minus(15, s.y * s.p);
    s.r = identity_minus(13, s.y * s.q);
    z = 0.25 * s.z * s.r;
    steps.push_back(std::move(s));
  }
  gv = g * v;
  zgv = z * gv;
  return f * zgv;
}

NystromHeadGradients to_matrices(const NystromHead& head, const MatrixXd& dout) {
  NystromHeadGradients d;
  if (head.exact) {
    d.f = dout * head.v.transpose();
    d.v = head.f.transpose() * dout;
    return d;
  }
  d.f = dout * head.zgv.transpose();
  const MatrixXd d_zgv = head.f.transpose() * dout, d_gv = head.z.transpose() * d_zgv;
  MatrixXd dz = d_zgv * head.gv.transpose();
  d.g = d_gv * head.v.transpose();
  d.v = head.g.transpose() * d_gv;
  d.a = MatrixXd::Zero(head.a.rows(), head.a.cols());
  for (auto s = head.steps.rbegin(); s != head.steps.rend(); ++s) {
    const MatrixXd quarter = 0.25 * dz, dr = s->z.transpose() * quarter;
    const MatrixXd dq = -s->y.transpose() * dr, dp = -s->y.transpose() * dq;
    const MatrixXd dy = -dr * s->q.transpose() - dq * s->p.transpose() - dp;
    dz = quarter * s->r.transpose() + head.a.transpose() * dy;
    d.a += dy * s->z.transpose();
  }
  d.a += dz.transpose() / head.c;
  d.c = -dz.transpose().cwiseProduct(head.a).sum() / (head.c * head.c);
  return d;
}

void to_tokens(const NystromHead& head, double of_c, NystromHeadGradients& d) {
  if (head.exact) {
    const MatrixXd df = through_softmax(head.f, d.f);
    d.q = df * head.k;
    d.k = df.transpose() * head.q;
    return;
  }
  d.a.col(head.column).array() += of_c;
  const MatrixXd df = through_softmax(head.f, d.f), da = through_softmax(head.a, d.a),
                 dg = through_softmax(head.g, d.g);
  d.q = df * head.k_means;
  d.k = dg.transpose() * head.q_means;
  add_through_means(d.q, head.mean_rows, da * head.k_means + dg * head.k);
  add_through_means(d.k, head.k.rows(), df.transpose() * head.q + da.transpose() * head.q_means);
}

}  // namespace attest::attention
