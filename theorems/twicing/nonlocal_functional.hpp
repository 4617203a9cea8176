// The nonlocal functional of Eq 4 and what is derived from it, over doubles or balls, where integrals are finite sums.
//
// Omega = [0, N), and u, f and w are constant on the N unit intervals and on their products. That is a case in L^2, not
// an approximation of one: an integral over Omega is the sum over the N points, exactly. A counterexample among these
// functions is therefore one to the printed integrals, and an identity is tested where it can be computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/layout.hpp"

namespace attest::twicing {

inline double larger(double a, double b) { return std::max(a, b); }
inline rigor::Ball larger(const rigor::Ball& a, const rigor::Ball& b) { return rigor::max(a, b); }
inline double absolute(double a) { return std::abs(a); }
inline rigor::Ball absolute(const rigor::Ball& a) { return rigor::abs(a); }
/// Certainly greater than zero.
inline bool positive(double a) { return a > 0; }
inline bool positive(const rigor::Ball& a) { return a.is_positive(); }

/// N points and the dimension of what a function has at each: three points in the plane unless said otherwise.
struct Size {
  std::size_t points = 3;
  std::size_t width = 2;
  std::size_t values() const { return points * width; }
  std::size_t weights() const { return points * points; }
};

/// A function on N points with values in R^width, point by point.
template <class Real>
struct Signal {
  std::size_t width = 1;
  std::vector<Real> values;

  explicit Signal(std::size_t columns) : width(columns) {}
  Signal(std::span<const double> from, std::size_t columns) : width(columns), values(from.begin(), from.end()) {}

  std::size_t points() const { return values.size() / width; }
  const Real& operator()(std::size_t x, std::size_t j) const { return values[x * width + j]; }
};

/// w(x, y), point by point.
template <class Real>
struct Weights {
  std::size_t points = 0;
  std::vector<Real> values;

  /// All zero.
  explicit Weights(std::size_t n) : points(n), values(n * n, Real(0)) {}
  Weights(std::span<const double> from, std::size_t n) : points(n), values(from.begin(), from.end()) {}

  Real& operator()(std::size_t x, std::size_t y) { return values[x * points + y]; }
  const Real& operator()(std::size_t x, std::size_t y) const { return values[x * points + y]; }
};

/// The signal and the weights of `size` that the inputs hold under these names.
template <class Real>
Signal<Real> signal(const engine::Inputs& in, const std::string& name, Size size) {
  return Signal<Real>(engine::values(in, name, size.values()), size.width);
}
template <class Real>
Weights<Real> weights(const engine::Inputs& in, const std::string& name, Size size) {
  return Weights<Real>(engine::values(in, name, size.weights()), size.points);
}

/// own w(x, y) + transposed w(y, x).
template <class Real>
Weights<Real> mixed(const Weights<Real>& w, const Real& own, const Real& transposed) {
  Weights<Real> result(w.points);
  for (std::size_t x = 0; x < w.points; ++x)
    for (std::size_t y = 0; y < w.points; ++y) result(x, y) = own * w(x, y) + transposed * w(y, x);
  return result;
}

/// w(x, y) + w(y, x).
template <class Real>
Weights<Real> symmetrised(const Weights<Real>& w) {
  return mixed(w, Real(1), Real(1));
}

/// exp(q(x) . k(y) / sqrt(D)) for queries and keys in R^D: the weights of Eq 8.
template <class Real>
Weights<Real> exponential_weights(const Signal<Real>& q, const Signal<Real>& k) {
  using std::exp;
  using std::sqrt;
  Weights<Real> w(q.points());
  for (std::size_t x = 0; x < w.points; ++x)
    for (std::size_t y = 0; y < w.points; ++y) {
      Real logit(0);
      for (std::size_t j = 0; j < q.width; ++j) logit += q(x, j) * k(y, j);
      w(x, y) = exp(logit / sqrt(Real(static_cast<double>(q.width))));
    }
  return w;
}

/// D^-1 W of Eq 11: the weights of every point, made to sum to one.
template <class Real>
Weights<Real> row_stochastic(Weights<Real> w) {
  for (std::size_t x = 0; x < w.points; ++x) {
    Real degree(0);
    for (std::size_t y = 0; y < w.points; ++y) degree += w(x, y);
    for (std::size_t y = 0; y < w.points; ++y) w(x, y) /= degree;
  }
  return w;
}

/// sum_y a(x, y) u(y).
template <class Real>
Signal<Real> applied(const Weights<Real>& a, const Signal<Real>& u) {
  Signal<Real> result = u;
  for (std::size_t x = 0; x < u.points(); ++x)
    for (std::size_t j = 0; j < u.width; ++j) {
      Real total(0);
      for (std::size_t y = 0; y < u.points(); ++y) total += a(x, y) * u(y, j);
      result.values[x * u.width + j] = total;
    }
  return result;
}

/// u + factor h.
template <class Real>
Signal<Real> moved(Signal<Real> u, const Signal<Real>& h, const Real& factor) {
  for (std::size_t i = 0; i < u.values.size(); ++i) u.values[i] += factor * h.values[i];
  return u;
}

/// J_w(u) = 1/2 sum_{x, y} |u(x) - u(y)|^2 w(x, y): the regulariser of Eq 4.
template <class Real>
Real nonlocal_functional(const Signal<Real>& u, const Weights<Real>& w) {
  Real total(0);
  for (std::size_t x = 0; x < w.points; ++x)
    for (std::size_t y = 0; y < w.points; ++y)
      for (std::size_t j = 0; j < u.width; ++j) {
        const Real difference = u(x, j) - u(y, j);
        total += difference * difference * w(x, y);
      }
  return total / Real(2);
}

/// G(u, f) = lambda/2 sum_x |u(x) - f(x)|^2: the fidelity of Eq 4.
template <class Real>
Real fidelity(const Signal<Real>& u, const Signal<Real>& f, const Real& lambda) {
  Real total(0);
  for (std::size_t i = 0; i < u.values.size(); ++i) {
    const Real difference = u.values[i] - f.values[i];
    total += difference * difference;
  }
  return lambda * total / Real(2);
}

/// d/dtau F(u + tau h) at 0 of a quadratic F, for which the symmetric difference quotient is the derivative itself.
template <class Real, class F>
Real directional_derivative(const F& quadratic, const Signal<Real>& u, const Signal<Real>& h) {
  return (quadratic(moved(u, h, Real(1))) - quadratic(moved(u, h, Real(-1)))) / Real(2);
}

/// The functional derivative of a quadratic F, point by point and component by component: its derivatives in the
/// directions of the N width indicators, which have norm one in L^2.
template <class Real, class F>
std::vector<Real> functional_derivative(const F& quadratic, const Signal<Real>& u) {
  std::vector<Real> gradient;
  for (std::size_t i = 0; i < u.values.size(); ++i) {
    Signal<Real> indicator = u;
    indicator.values.assign(u.values.size(), Real(0));
    indicator.values[i] = Real(1);
    gradient.push_back(directional_derivative(quadratic, u, indicator));
  }
  return gradient;
}

/// sum_y (u(x) - u(y)) w(x, y), in the order of u's values.
template <class Real>
std::vector<Real> weighted_differences(const Signal<Real>& u, const Weights<Real>& w) {
  std::vector<Real> result;
  for (std::size_t x = 0; x < w.points; ++x)
    for (std::size_t j = 0; j < u.width; ++j) {
      Real total(0);
      for (std::size_t y = 0; y < w.points; ++y) total += (u(x, j) - u(y, j)) * w(x, y);
      result.push_back(total);
    }
  return result;
}

}  // namespace attest::twicing
