// "Transformers as Unrolled Inference in Probabilistic Laplacian Eigenmaps", section 3: one block of the unrolled
// optimisation, X <- X + 2 eta (A~ - I) X and the projection of the rows on the unit sphere. Rows of zero mean in
// d_q dimensions are rows in d_q - 1 dimensions after a rotation, and every quantity here is invariant under it, so the
// zero mean needs no coordinates of its own: rows on the unit circle stand for d_q = 3.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/generic/small_matrix.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/library.hpp"

namespace attest::probdr {

using namespace generic;
using rigor::cos;
using rigor::sin;
using std::cos;
using std::sin;

/// The mask M: none; iota I in the limit iota -> infinity, which takes the diagonal out of the softmax; or the causal
/// one of language models, under which a token sees itself and those before it.
enum class Mask { none, self, causal };

/// Whether token i sees token j.
inline bool visible(Mask mask, std::size_t i, std::size_t j) {
  return mask == Mask::none || (mask == Mask::self ? i != j : j <= i);
}

/// The n x 2 matrix of rows (cos t_i, sin t_i) for the angles t of the inputs.
template <class Real>
Matrix<Real> rows_on_circle(const engine::Inputs& inputs, std::size_t n) {
  const auto angles = engine::values(inputs, "angles", n);
  Matrix<Real> x(n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    x(i, 0) = cos(Real(angles[i]));
    x(i, 1) = sin(Real(angles[i]));
  }
  return x;
}

/// exp(kappa (x_i' x_j - 1)), 0 where the mask hides j from i.
template <class Real>
Matrix<Real> similarity(const Matrix<Real>& x, const Real& kappa, Mask mask = Mask::none) {
  Matrix<Real> w = outer_gram(x);
  for (Real& entry : w.entries) entry = exp(kappa * (entry - Real(1)));
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.rows; ++j)
      if (!visible(mask, i, j)) w(i, j) = Real(0);
  return w;
}

/// Row sums.
template <class Real>
std::vector<Real> degrees(const Matrix<Real>& w) {
  std::vector<Real> d(w.rows, Real(0));
  for (std::size_t i = 0; i < w.rows; ++i)
    for (std::size_t j = 0; j < w.cols; ++j) d[i] += w(i, j);
  return d;
}

/// A~ = softmax(kappa X X' - M), row by row: the library's attention weights in double precision.
template <class Real>
Matrix<Real> adjacency(const Matrix<Real>& x, const Real& kappa, Mask mask = Mask::none) {
  if constexpr (std::is_same_v<Real, double>) {
    mechanisms::Setting how;
    for (std::size_t i = 0; i < x.rows && mask != Mask::none; ++i)
      for (std::size_t j = 0; j < x.rows; ++j) how.mask.visible.push_back(visible(mask, i, j) ? 1 : 0);
    const Matrix<double> q = scale(kappa * std::sqrt(static_cast<double>(x.cols)), x);
    Matrix<double> weights(x.rows, x.rows);
    weights.entries = mechanisms::weights(
        "softmax", {mechanisms::rows("q", q.entries, x.cols), mechanisms::rows("k", x.entries, x.cols)}, x.rows, how);
    return weights;
  }
  Matrix<Real> a = similarity(x, kappa, mask);
  const std::vector<Real> d = degrees(a);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j) a(i, j) /= d[i];
  return a;
}

/// (A - I) X, without cancellation between the two: sum_j a_ij (x_j - x_i) for a stochastic A.
template <class Real>
Matrix<Real> diffusion(const Matrix<Real>& a, const Matrix<Real>& x) {
  Matrix<Real> result(x.rows, x.cols);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.rows; ++j)
      for (std::size_t k = 0; k < x.cols && j != i; ++k) result(i, k) += a(i, j) * (x(j, k) - x(i, k));
  return result;
}

/// X + 2 eta (A - I) X.
template <class Real>
Matrix<Real> data_step(const Matrix<Real>& a, const Matrix<Real>& x, const Real& eta) {
  return add(x, diffusion(a, x), 2 * eta);
}

/// Every row divided by its length.
template <class Real>
Matrix<Real> on_sphere(Matrix<Real> x) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    Real squares(0);
    for (std::size_t k = 0; k < x.cols; ++k) squares += x(i, k) * x(i, k);
    const Real length = sqrt(squares);
    for (std::size_t k = 0; k < x.cols; ++k) x(i, k) /= length;
  }
  return x;
}

/// tr((I - A) X X') = -sum_i x_i' ((A - I) X)_i for a stochastic A.
template <class Real>
Real data_term(const Matrix<Real>& a, const Matrix<Real>& x) {
  return Real(0) - inner_product(x, diffusion(a, x));
}

}  // namespace attest::probdr
