// The kernels that statements about "a symmetric kernel K" are searched over: mixtures of two normal densities with
// their mirror images, and the compact polynomial kernels.
#pragma once

#include <span>

#include "kernels/regression/normal_mixture.hpp"
#include "kernels/regression/polynomial_kernel.hpp"
#include "theorems/engine/inputs.hpp"
#include "theorems/engine/protocols/identity.hpp"

namespace attest::twicing {

/// {"weight", "centres", "variances"} from the five coordinates weight, two centres, two variances.
engine::Inputs mixture_inputs(std::span<const double> x);

/// K = w N(c_1, v_1) + (1 - w) N(c_2, v_2), as it is (T is double or rigor::Ball; the weights sum to 1 exactly in
/// balls).
template <class T>
regression::NormalMixture<T> mixture(const engine::Inputs& in);

/// The same averaged with its mirror image: a symmetric kernel.
template <class T>
regression::NormalMixture<T> symmetric_mixture(const engine::Inputs& in) {
  return mixture<T>(in).symmetrised();
}

/// int u^k g(u) du by quadrature: the path that does not use the moments of the components.
/// Relative error below `quadrature_error` times int |u|^k |g|, for the mixtures of the box and their convolutions:
/// Gauss-Kronrod stops at 4 units of rounding and a value of g costs at most 20 additions and one exponential.
inline constexpr double quadrature_error = 1e-13;
double moment_by_quadrature(const regression::NormalMixture<double>& g, int k);
double moment_by_quadrature(const regression::Kernel& kernel, regression::Form form, int k);

/// An identity problem without sides over `mixture_inputs`: weights in [0.05, 0.95], centres in [-2, 2], variances in
/// [0.05, 2]; the Gaussian and a bimodal kernel are corners.
engine::IdentityProblem on_mixtures();

/// One over the compact kernels: the index of `regression::polynomial_kernels`, stored as "kernel", is the coordinate.
engine::IdentityProblem on_polynomials();
const regression::PolynomialKernel& polynomial_kernel(const engine::Inputs& in);

}  // namespace attest::twicing
