// The features elu(x) + 1 of linear attention, for doubles and balls.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernels/rigor/ball.hpp"

namespace attest::primal_dual {

inline double positive_part(double z) { return std::max(z, 0.0); }
inline rigor::Ball positive_part(const rigor::Ball& z) { return rigor::max(z, rigor::Ball(0)); }

/// elu(x_d) + shift for every d, where elu(z) = z for z > 0 and exp(z) - 1 otherwise: max(z, 0) + exp(-max(-z, 0)) - 1,
/// which needs no case. Linear attention has shift 1.
template <class Real>
std::vector<Real> elu_features(std::span<const Real> x, double shift = 1) {
  using std::exp;
  std::vector<Real> out;
  for (const Real& z : x) {
    const Real small = positive_part(Real(-z));
    out.push_back(positive_part(z) + exp(Real(-small)) + Real(shift - 1));
  }
  return out;
}

}  // namespace attest::primal_dual
