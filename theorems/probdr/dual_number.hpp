// Forward differentiation: a value and its derivative along one direction.
#pragma once

#include "kernels/generic/small_matrix.hpp"

namespace attest::probdr {

using namespace generic;
using rigor::exp;
using rigor::log;
using std::exp;
using std::log;

/// value + slope e with e^2 = 0, over doubles or balls.
template <class Real>
struct Dual {
  Real value, slope;

  Dual(double constant = 0)  // NOLINT(google-explicit-constructor): literals mix with duals in formulas.
      : value(constant), slope(0) {}
  Dual(Real v, Real s) : value(std::move(v)), slope(std::move(s)) {}

  Dual& operator+=(const Dual& o) { return *this = *this + o; }
  Dual& operator-=(const Dual& o) { return *this = *this - o; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const Real quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
};

template <class Real>
Dual<Real> exp(const Dual<Real>& a) {
  const Real e = exp(a.value);
  return {e, e * a.slope};
}

template <class Real>
Dual<Real> log(const Dual<Real>& a) {
  return {log(a.value), a.slope / a.value};
}

/// dF/dX for F of an n x d matrix: one evaluation of F for every entry.
template <class Real, class F>
Matrix<Real> gradient(const Matrix<Real>& x, F f) {
  Matrix<Real> result(x.rows, x.cols);
  for (std::size_t k = 0; k < x.entries.size(); ++k) {
    Matrix<Dual<Real>> at(x.rows, x.cols);
    for (std::size_t j = 0; j < x.entries.size(); ++j) at.entries[j] = {x.entries[j], Real(j == k ? 1 : 0)};
    result.entries[k] = f(at).slope;
  }
  return result;
}

/// The matrix as constants.
template <class Real>
Matrix<Dual<Real>> constants(const Matrix<Real>& a) {
  Matrix<Dual<Real>> result(a.rows, a.cols);
  for (std::size_t k = 0; k < a.entries.size(); ++k) result.entries[k] = {a.entries[k], Real(0)};
  return result;
}

}  // namespace attest::probdr
