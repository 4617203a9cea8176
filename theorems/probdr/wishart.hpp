// The Wishart law W(V, d) of Section 2: density, and the objective that it leaves for the latents.
#pragma once

#include "kernels/generic/small_matrix.hpp"

namespace attest::probdr {

using namespace generic;
using rigor::lgamma;
using std::lgamma;

/// log density of W(V, d) at S, n x n and positive definite, d > n - 1:
/// (d-n-1)/2 log|S| - tr(V^-1 S)/2 - dn/2 log 2 - d/2 log|V| - log Gamma_n(d/2).
template <class Real>
Real wishart_log_density(const Matrix<Real>& s, const Matrix<Real>& v, const Real& d, const Real& pi) {
  const auto n = static_cast<double>(s.rows);
  Real log_gamma = Real(n * (n - 1) / 4) * log(pi);
  for (std::size_t j = 0; j < s.rows; ++j) log_gamma += lgamma(Real((d - Real(static_cast<double>(j))) / Real(2)));
  return (d - Real(n + 1)) / Real(2) * log(determinant(s)) - trace(multiply(inverse(v), s)) / Real(2) -
         d * Real(n) / Real(2) * log(Real(2)) - d / Real(2) * log(determinant(v)) - log_gamma;
}

/// X X' + beta I.
template <class Real>
Matrix<Real> covariance(const Matrix<Real>& x, const Real& beta) {
  return add(outer_gram(x), scaled_identity(x.rows, beta), Real(1));
}

/// tr(L (X X' + beta I)) - logdet(X X' + beta I): 2/d times the KL divergence of Section 2, up to a constant.
template <class Real>
Real objective(const Matrix<Real>& l, const Matrix<Real>& x, const Real& beta) {
  const Matrix<Real> sigma = covariance(x, beta);
  return trace(multiply(l, sigma)) - log(determinant(sigma));
}

}  // namespace attest::probdr
