#include "kernels/attention/nystrom/nystrom_head.hpp"

#include <utility>
#include <vector>

#include "kernels/attention/stages/distance_sums.hpp"

namespace attest::attention {
namespace {

using Eigen::Index;

/// First row and number of rows of segment r of m.
std::pair<Index, Index> segment(Index n, Index m, Index r) {
  const Index size = n / m, shorter = (size + 1) * m - n;
  return r < shorter ? std::pair{r * size, size} : std::pair{shorter * size + (r - shorter) * (size + 1), size + 1};
}

RowMajor identity_minus(double multiple, const RowMajor& x) {
  return multiple * RowMajor::Identity(x.rows(), x.cols()) - x;
}

}  // namespace

RowMajor segment_means(const RowsView& x, Index m) {
  RowMajor result(m, x.cols());
  for (Index r = 0; r < m; ++r) {
    const auto [first, size] = segment(x.rows(), m, r);
    result.row(r) = x.row(first);
    for (Index i = first + 1; i < first + size; ++i) result.row(r) += x.row(i);
    result.row(r) /= static_cast<double>(size);
  }
  return result;
}

void add_through_means(WritableRows dx, const RowsView& dmeans) {
  for (Index r = 0; r < dmeans.rows(); ++r) {
    const auto [first, size] = segment(dx.rows(), dmeans.rows(), r);
    for (Index i = first; i < first + size; ++i) dx.row(i) += dmeans.row(r) / static_cast<double>(size);
  }
}

RowMajor segment_distances(Index tokens, Index m, Index rows) {
  std::vector<double> shares(static_cast<std::size_t>(tokens * m), 0.0);
  for (Index r = 0; r < m; ++r) {
    const auto [first, size] = segment(tokens, m, r);
    for (Index j = first; j < first + size; ++j)
      shares[static_cast<std::size_t>(j * m + r)] = 1 / static_cast<double>(size);
  }
  const std::vector<double> distances = distance_sums(shares, m, rows);
  return RowsView(distances.data(), rows, m);
}

void NystromHead::prepare(RowMajor logits) {
  a = std::move(logits);
  for (Index i = 0; i < a.rows(); ++i) {
    a.row(i) = (a.row(i).array() - a.row(i).maxCoeff()).exp();
    a.row(i) /= a.row(i).sum();
  }
  c = a.colwise().sum().maxCoeff(&column);
}

void NystromHead::invert(int iterations) {
  z = a.transpose() / c;
  for (int step = 0; step < iterations; ++step) {
    NystromStep s;
    s.z = z;
    s.y.noalias() = a * z;
    s.p = identity_minus(7, s.y);
    s.q = identity_minus(15, s.y * s.p);
    s.r = identity_minus(13, s.y * s.q);
    z.noalias() = 0.25 * s.z * s.r;
    steps.push_back(std::move(s));
  }
}

NystromHeadGradients through_inverse(const NystromHead& head, RowMajor dz) {
  NystromHeadGradients d{RowMajor::Zero(head.a.rows(), head.a.cols())};
  for (auto s = head.steps.rbegin(); s != head.steps.rend(); ++s) {
    const RowMajor quarter = 0.25 * dz, dr = s->z.transpose() * quarter;
    const RowMajor dq = -s->y.transpose() * dr, dp = -s->y.transpose() * dq;
    const RowMajor dy = -dr * s->q.transpose() - dq * s->p.transpose() - dp;
    dz.noalias() = quarter * s->r.transpose();
    dz.noalias() += head.a.transpose() * dy;
    d.a.noalias() += dy * s->z.transpose();
  }
  d.a += dz.transpose() / head.c;
  d.c = -dz.transpose().cwiseProduct(head.a).sum() / (head.c * head.c);
  return d;
}

RowMajor to_logits(const NystromHead& head, double of_c, RowMajor da) {
  da.col(head.column).array() += of_c;
  const Eigen::VectorXd mean = head.a.cwiseProduct(da).rowwise().sum();
  return head.a.cwiseProduct(da.colwise() - mean);
}

}  // namespace attest::attention
