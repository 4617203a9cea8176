#include "theorems/twicing/kernel_boxes.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/regression/population.hpp"
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

engine::IdentityProblem on_mixtures() {
  engine::IdentityProblem p;
  p.lower = {0.05, -2, -2, 0.05, 0.05};
  p.upper = {0.95, 2, 2, 2, 2};
  p.decode = mixture_inputs;
  p.corners = {{0.5, 0, 0, 1, 1}, {0.5, 1, 1, 0.25, 0.25}};  // Gaussian, bimodal
  p.evaluations = 300;
  return p;
}

engine::IdentityProblem on_polynomials() {
  engine::IdentityProblem p;
  p.lower = {0};
  p.upper = {static_cast<double>(regression::polynomial_kernels().size()) - 1};
  p.decode = [](std::span<const double> x) { return engine::Inputs{{"kernel", {std::round(x[0])}}}; };
  for (std::size_t i = 0; i < regression::polynomial_kernels().size(); ++i)
    p.corners.push_back({static_cast<double>(i)});
  p.evaluations = 60;
  p.ball_points = 6;
  return p;
}

const regression::PolynomialKernel& polynomial_kernel(const engine::Inputs& in) {
  return *regression::polynomial_kernels()[static_cast<std::size_t>(in.scalar("kernel"))];
}

double moment_by_quadrature(const regression::Kernel& kernel, regression::Form form, int k) {
  const double reach = kernel.radius(form);
  return regression::convolve(
             kernel, form, [k](double t) { return std::pow(t, k); }, {}, -reach, reach, 0, 1)
      .value;
}

}  // namespace attest::twicing
