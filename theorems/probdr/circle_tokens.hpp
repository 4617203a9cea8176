// Latents on the unit circle: all that the constraints of Section 3, unit rows of zero mean, leave for d_q = 3.
#pragma once

#include <string>

#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::probdr {

using namespace generic;
using rigor::cos;
using rigor::sin;
using std::cos;
using std::sin;

/// X X' of the latents at the angles `name`: G_ij = cos(t_i - t_j).
template <class Real>
Matrix<Real> circle_gram(const engine::Inputs& in, const std::string& name, std::size_t points) {
  const auto angles = engine::values(in, name, points);
  Matrix<Real> gram(points, points);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < points; ++j) gram(i, j) = cos(Real(angles[i]) - Real(angles[j]));
  return gram;
}

/// The row of unit length and zero mean at an angle, cos(t) (1,-1,0)/sqrt 2 + sin(t) (1,1,-2)/sqrt 6.
template <class Real>
std::vector<Real> circle_row(const Real& angle) {
  const Real a = cos(angle) / sqrt(Real(2));
  const Real b = sin(angle) / sqrt(Real(6));
  return {a + b, b - a, Real(-2) * b};
}

/// The latents at the angles `name`, a row each.
template <class Real>
Matrix<Real> circle_rows(const engine::Inputs& in, const std::string& name, std::size_t points) {
  Matrix<Real> x(0, 3);
  for (const double angle : engine::values(in, name, points)) {
    const auto row = circle_row(Real(angle));
    x.entries.insert(x.entries.end(), row.begin(), row.end());
  }
  x.rows = points;
  return x;
}

}  // namespace attest::probdr
