// Adaptive quadrature of piecewise smooth functions, with the error it estimates for itself.
#pragma once

#include <functional>
#include <span>

namespace attest::regression {

/// An integral and the estimate of its absolute error.
struct Integral {
  double value = 0.0;
  double error = 0.0;
};

/// int f over [splits.front(), splits.back()] by adaptive Gauss-Kronrod (15, 31) on each [splits[i], splits[i+1]].
///
/// `splits` is non-decreasing with at least two entries (std::invalid_argument); the ends may be infinite; f is smooth
/// between neighbours. `error` is the sum of the differences between the 15- and 31-point rules plus the rounding of
/// the sum, 2^-52 int |f|.
Integral integrate(const std::function<double(double)>& f, std::span<const double> splits);

}  // namespace attest::regression
