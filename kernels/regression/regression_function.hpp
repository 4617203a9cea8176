// Regression functions with known derivatives, for computing the bias of a smoother exactly.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace attest::regression {

/// A regression function m on R with its derivatives up to order 4.
///
/// `derivative(x, k)` is m^(k)(x) for k = 0..4 (k = 0 is m itself); at a kink it is the right-hand value.
/// `smoothness` is the number of continuous derivatives (4 stands for "at least 4"); `kinks` lists, increasing, the
/// points where a derivative of order <= 4 jumps: quadrature splits there.
struct RegressionFunction {
  std::string name;
  std::function<double(double x, int k)> derivative;
  int smoothness = 4;
  std::vector<double> kinks;

  double operator()(double x) const { return derivative(x, 0); }
};

/// c_0 + c_1 x + ... + c_d x^d; `coefficients` = {c_0, ..., c_d}, not empty (std::invalid_argument).
RegressionFunction polynomial(std::vector<double> coefficients);

/// sin(omega x + phase).
RegressionFunction sine(double omega, double phase = 0.0);

/// exp(a x).
RegressionFunction exponential(double a);

/// exp(-x^2 / (2 s^2)), a bump of width s > 0 (std::invalid_argument).
RegressionFunction bump(double s);

/// |x - c|^(2p+1) for p = 0 or 1: 2p continuous derivatives, a kink at c (std::invalid_argument for other p).
RegressionFunction kink(double c, int p = 0);

}  // namespace attest::regression
