// The population version of the Nadaraya-Watson estimator: its bias without a single random number.
#pragma once

#include "kernels/regression/design.hpp"
#include "kernels/regression/kernel.hpp"
#include "kernels/regression/quadrature.hpp"
#include "kernels/regression/regression_function.hpp"

namespace attest::regression {

/// m_h(x) - m(x) with m_h(x) = int L((x-t)/h) m(t) f(t) dt / int L((x-t)/h) f(t) dt, L the kernel's `form` and f the
/// design: the bias that the Nadaraya-Watson estimator tends to as the sample grows at fixed bandwidth.
///
/// Computed as int L(u) (m(x-hu) - m(x)) f(x-hu) du / int L(u) f(x-hu) du, so that no digits cancel against m(x).
/// x inside the support of f, h > 0; `error` propagates the quadrature's own estimates through the quotient.
/// Errors: std::invalid_argument for h <= 0; std::domain_error when the denominator is not certainly positive (it can
/// vanish for the twicing kernel, whose lobes are negative).
Integral population_bias(const Kernel& kernel, Form form, const RegressionFunction& m, const Design& f, double x,
                         double h);

/// int L(u) g(x - h u) du with L the kernel's `form`: the convolution (L_h * g)(x).
/// `kinks` are the points t where g(t) is not smooth, `lower` and `upper` the ends of its support (may be infinite).
Integral convolve(const Kernel& kernel, Form form, const std::function<double(double)>& g,
                  std::span<const double> kinks, double lower, double upper, double x, double h);

/// R(2K - K*K) = int (2K - K*K)^2, the roughness of the twicing kernel.
Integral twicing_roughness(const Kernel& kernel);

}  // namespace attest::regression
