// Patches, positions and the kernels that compare them: sections 2 and 3 of "Revisiting Transformers with Insights from
// Image Filtering and Boosting", written once for doubles and balls.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/generic/small_matrix.hpp"

namespace attest::boosting {

using namespace generic;
using rigor::cos;
using rigor::sin;
using std::cos;
using std::sin;

/// The base of the positional frequencies, "originally set to 10000".
constexpr double usual_base = 10000;

/// T^{-2t/d}: what the position is multiplied by in the coordinates 2t and 2t + 1.
template <class Real>
Real frequency(std::size_t t, std::size_t d, const Real& base) {
  if (t == 0) return Real(1);
  return exp(Real(-2) * Real(static_cast<double>(t)) / Real(static_cast<double>(d)) * log(base));
}

/// Eq 2.5: a row p_i = (sin(i), cos(i), sin(i / T^{2/d}), cos(i / T^{2/d}), ...) of d coordinates for every position i.
/// An odd d ends with a sine.
template <class Real>
Matrix<Real> sinusoidal_positions(std::span<const double> at, std::size_t d, const Real& base = Real(usual_base)) {
  Matrix<Real> p(at.size(), d);
  for (std::size_t k = 0; k < d; ++k) {
    const Real rate = frequency(k / 2, d, base);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Real angle = Real(at[i]) * rate;
      p(i, k) = k % 2 == 0 ? sin(angle) : cos(angle);
    }
  }
  return p;
}

/// a_i . b_j for all rows.
template <class Real>
Matrix<Real> dot_products(const Matrix<Real>& a, const Matrix<Real>& b) {
  return multiply(a, transpose(b));
}

/// a_i' W b_j for all rows.
template <class Real>
Matrix<Real> bilinear(const Matrix<Real>& a, const Matrix<Real>& w, const Matrix<Real>& b) {
  return dot_products(multiply(a, w), b);
}

/// a_i' M a_i for every row.
template <class Real>
std::vector<Real> squared_norms(const Matrix<Real>& a, const Matrix<Real>& m) {
  std::vector<Real> result;
  const Matrix<Real> all = bilinear(a, m, a);
  for (std::size_t i = 0; i < a.rows; ++i) result.push_back(all(i, i));
  return result;
}

/// |a_i|^2 for every row.
template <class Real>
std::vector<Real> squared_norms(const Matrix<Real>& a) {
  return squared_norms(a, scaled_identity(a.cols, Real(1)));
}

/// (a_i - b_j)' M (a_i - b_j) for all rows.
template <class Real>
Matrix<Real> squared_distances(const Matrix<Real>& a, const Matrix<Real>& b, const Matrix<Real>& m) {
  Matrix<Real> result(a.rows, b.rows);
  Matrix<Real> difference(1, a.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.rows; ++j) {
      for (std::size_t k = 0; k < a.cols; ++k) difference(0, k) = a(i, k) - b(j, k);
      result(i, j) = bilinear(difference, m, difference)(0, 0);
    }
  return result;
}

/// |a_i - b_j|^2 for all rows.
template <class Real>
Matrix<Real> squared_distances(const Matrix<Real>& a, const Matrix<Real>& b) {
  return squared_distances(a, b, scaled_identity(a.cols, Real(1)));
}

/// log K_BF of Eq 2.13 for all pairs, where a pair is compared by |p_i - q_j| and by |y_i - z_j|.
template <class Real>
Matrix<Real> log_bilateral(const Matrix<Real>& p, const Matrix<Real>& q, const Matrix<Real>& y, const Matrix<Real>& z,
                           const Real& h_p_squared, const Real& h_y_squared) {
  return add(scale(Real(-1) / h_p_squared, squared_distances(p, q)), squared_distances(y, z),
             Real(Real(-1) / h_y_squared));
}

/// log K_SA of Eq 3.3 for all pairs: (y_i + p_i) . (y_j + p_j) / sqrt(d).
template <class Real>
Matrix<Real> log_self_attention(const Matrix<Real>& y, const Matrix<Real>& p) {
  const Matrix<Real> x = add(y, p, Real(1));
  return scale(Real(Real(1) / sqrt(Real(static_cast<double>(y.cols)))), dot_products(x, x));
}

/// Points of the plane, r (cos t, sin t) for every angle t.
template <class Real>
Matrix<Real> on_circle(std::span<const double> angles, const Real& radius) {
  Matrix<Real> y(angles.size(), 2);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    y(i, 0) = radius * cos(Real(angles[i]));
    y(i, 1) = radius * sin(Real(angles[i]));
  }
  return y;
}

}  // namespace attest::boosting
