// Where the bias expansions are judged: a kernel, a regression function, a design and a point, all in closed form.
#pragma once

#include <string>
#include <vector>

#include "kernels/regression/kernel.hpp"
#include "kernels/regression/trigonometric_sum.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::twicing {

/// m and f are trigonometric sums, on which every kernel acts through its characteristic function; h = 1/n.
struct BiasSetting {
  std::string name;
  const regression::Kernel* kernel;
  regression::TrigonometricSum m;
  regression::TrigonometricSum f;
  double x;

  /// Bias of the population Nadaraya-Watson estimator at x with bandwidth 1/n.
  rigor::Ball bias(regression::Form form, double n) const;

  /// m^(k)(x).
  rigor::Ball derivative(int k) const { return m.derivative(x, k); }

  /// ((m f)^(k) - m f^(k))/f at x: what the k-th moment multiplies. For k = 2 it is m'' + 2 m' f'/f, for k = 4
  /// m'''' + 4 m''' f'/f + 6 m'' f''/f + 4 m' f'''/f.
  rigor::Ball design_derivative(int k) const;
};

/// m(t) = cos(t + 1/2) + cos(2t - 1)/4 under a uniform design.
BiasSetting uniform_setting(const regression::Kernel& kernel);

/// The same m under f(t) = 1 + cos(t)/2, at a point where f', f'' and f''' are all away from 0.
BiasSetting sloping_setting(const regression::Kernel& kernel);

/// Both settings for each of the kernels Gaussian, Epanechnikov, triangular, logistic, Laplace and bimodal.
std::vector<BiasSetting> bias_settings();

}  // namespace attest::twicing
