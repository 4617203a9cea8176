#include "theorems/twicing/symmetric_mixture.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/regression/quadrature.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::twicing {

engine::Inputs mixture_inputs(std::span<const double> x) {
  return {{"weight", {x[0]}}, {"centres", {x[1], x[2]}}, {"variances", {x[3], x[4]}}};
}

template <class T>
regression::NormalMixture<T> mixture(const engine::Inputs& in) {
  const T weight = in.scalar("weight");
  const auto centres = in["centres"];
  const auto variances = in["variances"];
  return regression::NormalMixture<T>(
      {{weight, T(centres[0]), T(variances[0])}, {1 - weight, T(centres[1]), T(variances[1])}});
}

template regression::NormalMixture<double> mixture(const engine::Inputs&);
template regression::NormalMixture<rigor::Ball> mixture(const engine::Inputs&);

double moment_by_quadrature(const regression::NormalMixture<double>& g, int k) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> splits{-infinity, -8, -4, -2, -1, -0.5, 0, 0.5, 1, 2, 4, 8, infinity};
  return regression::integrate([&](double u) { return std::pow(u, k) * g.value(u); }, splits).value;
}

}  // namespace attest::twicing
