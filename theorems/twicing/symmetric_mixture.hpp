// Symmetric kernels drawn as mixtures of two normal densities and their mirror images: the box that statements about
// "a symmetric kernel K" are searched over.
#pragma once

#include <span>

#include "kernels/regression/normal_mixture.hpp"
#include "theorems/engine/inputs.hpp"

namespace attest::twicing {

/// Box coordinates: weight of the first component, two centres, two variances.
inline constexpr std::size_t mixture_coordinates = 5;
inline constexpr double mixture_lower[mixture_coordinates] = {0.05, -2, -2, 0.05, 0.05};
inline constexpr double mixture_upper[mixture_coordinates] = {0.95, 2, 2, 2, 2};

/// {"weight", "centres", "variances"} from the first five coordinates.
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

}  // namespace attest::twicing
