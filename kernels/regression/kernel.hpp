// Smoothing kernels on the line: value, self-convolution, the twicing kernel, moments and characteristic function.
#pragma once

#include <span>
#include <string_view>

namespace attest::rigor {
class Ball;
}

namespace attest::regression {

/// Which kernel is built from K.
enum class Form {
  plain,           ///< K
  self_convolved,  ///< K*K
  twiced,          ///< 2K - K*K, the twicing kernel
};

/// A symmetric probability density K on R with its self-convolution in closed form.
///
/// All members are pure; u and s are any finite numbers. In double, `value` and `self_convolution` have an absolute
/// error below `value_error` times their value at 0, `characteristic` one below `value_error`. The overloads for balls
/// enclose the true values; callers of those include "kernels/rigor/ball.hpp".
class Kernel {
 public:
  /// The worst case is tricube*tricube, of degree 19 on each piece: Horner's rule on [-1, 1] makes at most 2*19
  /// rounding errors of 1.1e-16 times the sum of the coefficients' sizes, which is below 8 times the value at
  /// 0: 3.4e-14.
  static constexpr double value_error = 4e-14;

  virtual ~Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  Kernel(Kernel&&) = delete;
  Kernel& operator=(Kernel&&) = delete;

  /// Name of the kernel, as `find_kernel` takes it.
  virtual std::string_view name() const = 0;

  /// K(u) = 0 for |u| > radius(); infinity for a kernel on the whole line.
  virtual double radius() const = 0;

  /// K(u).
  virtual double value(double u) const = 0;
  virtual rigor::Ball value(const rigor::Ball& u) const = 0;

  /// (K*K)(u) = int K(v) K(u - v) dv. The logistic's enclosure is not finite for an inexact ball that contains 0.
  virtual double self_convolution(double u) const = 0;
  virtual rigor::Ball self_convolution(const rigor::Ball& u) const = 0;

  /// The characteristic function int K(u) cos(s u) du.
  virtual double characteristic(double s) const = 0;
  virtual rigor::Ball characteristic(const rigor::Ball& s) const = 0;

  /// An enclosure of the moment generating function int K(u) e^(c u) du; not finite where the integral diverges.
  virtual rigor::Ball moment_generating(const rigor::Ball& c) const = 0;

  /// mu_k = int u^k K(u) du for k = 0..4; 0 for odd k by symmetry, infinity where the integral diverges.
  /// Errors: std::invalid_argument for other k.
  double moment(int k) const;

  /// An enclosure of mu_k; not finite where the integral diverges. Errors: as `moment`.
  rigor::Ball moment_ball(int k) const;

  /// The twicing kernel 2K(u) - (K*K)(u).
  double twicing(double u) const { return 2 * value(u) - self_convolution(u); }
  rigor::Ball twicing(const rigor::Ball& u) const;

  /// K, K*K or 2K - K*K at u.
  double operator()(Form form, double u) const;

  /// Radius of the support of the form: radius() for K, twice that for the others.
  double radius(Form form) const { return form == Form::plain ? radius() : 2 * radius(); }

  /// R(K) = int K^2 = (K*K)(0): the variance of a kernel smoother is proportional to it.
  double roughness() const { return self_convolution(0.0); }

  /// Points u >= 0 at which K (or, for the other forms, K*K) may not be smooth, increasing; quadrature splits there.
  virtual std::span<const double> knots(Form form) const = 0;

 protected:
  Kernel() = default;

  /// mu_k for k = 2 or 4; not finite where the integral diverges.
  virtual rigor::Ball even_moment(int k) const = 0;
};

/// Every kernel, in a fixed order. Compact, on [-1, 1]: uniform, triangular, epanechnikov, biweight, triweight,
/// tricube. On the line: gaussian (variance 1), logistic (e^u/(1 + e^u)^2), laplace (e^-|u|/2), bimodal (equal mixture
/// of normals of variance 1/4 at -1 and 1), student (2/(pi (1 + u^2)^2): t with 3 degrees of freedom scaled to variance
/// 1, no fourth moment), cauchy (1/(pi (1 + u^2)), no second moment).
std::span<const Kernel* const> all_kernels();

/// The kernel of that name. Errors: std::invalid_argument naming the known ones.
const Kernel& find_kernel(std::string_view name);

}  // namespace attest::regression
