// Appendix A.4, Eq 28: the kernel density estimate of the conditional mean.
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/regression/quadrature.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/identity.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;

/// int v p^(v, k) dv / p^(k) = sum_j v_j phi(k - k_j)/sum_j phi(k - k_j), three samples, with v multiplied by `factor`
/// under the integral in the near-miss.
Check density_estimate(double factor) {
  constexpr std::size_t samples = 3;
  IdentityProblem p;
  p.lower = {0.3, -1, -1, -1, -1, 0.5, 0.5, 0.5};
  p.upper = {2, 1, 1, 1, 1, 1.5, 1.5, 1.5};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"sigma", {x[0]}}, {"key", {x[1]}}, {"keys", {x[2], x[3], x[4]}}, {"values", {x[5], x[6], x[7]}}};
  };
  p.rounding_bound = 1e-13;  // quadrature to 4 roundings of int |v| p^ <= 4 times the value, weights to 100 roundings
  const auto kernel = [](const Inputs& in, std::size_t j) {
    const double z = (in.scalar("key") - in["keys"][j]) / in.scalar("sigma");
    return std::exp(-z * z / 2);
  };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const double sigma = in.scalar("sigma");
    double total = 0;
    double weighted = 0;
    for (std::size_t j = 0; j < samples; ++j) {
      total += kernel(in, j);
      weighted += kernel(in, j) * in["values"][j];
    }
    const auto integrand = [&](double v) {
      double joint = 0;
      for (std::size_t j = 0; j < samples; ++j) {
        const double z = (v - in["values"][j]) / sigma;
        joint += std::exp(-z * z / 2) / (sigma * std::sqrt(2 * M_PI)) * kernel(in, j);
      }
      return factor * v * joint / total;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> splits{-infinity, -6, -2, 0, 1, 2, 4, 8, infinity};
    return {{regression::integrate(integrand, splits).value}, {weighted / total}};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball sigma = in.scalar("sigma");
    Ball total = 0;
    Ball weighted = 0;
    Ball integral = 0;
    for (std::size_t j = 0; j < samples; ++j) {
      const Ball weight = rigor::exp(-rigor::square((Ball(in.scalar("key")) - in["keys"][j]) / sigma) / 2);
      total += weight;
      weighted += weight * in["values"][j];
      // int v phi(v - v_j) over v_j +- 20 sigma by the antiderivative v_j erf/2 - sigma phi; outside at most
      // (|v_j| + sigma) e^(-200).
      const Ball tail = rigor::exp(Ball(-200)) * (rigor::abs(Ball(in["values"][j])) + sigma);
      const Ball inside = in["values"][j] * rigor::erf(20 / rigor::sqrt(Ball(2)));
      integral += factor * weight * (inside + Ball::hull(-tail, tail));
    }
    return {{integral / total}, {weighted / total}};
  };
  p.evaluations = 300;
  return identity(std::move(p));
}

}  // namespace

Claims conditional_mean() {
  Claims claims;
  claims.push_back({{.id = "twicing/eq-28",
                     .label = "Eq 28",
                     .title = "Gaussian density estimates turn the conditional mean into a weighted mean of the values",
                     .kind = Kind::identity,
                     .tex = R"(\int v\,\frac{\hat p_\sigma(v,k)}{\hat p_\sigma(k)}\,dv=)"
                            R"(\frac{\sum_jv_j\varphi_\sigma(k-k_j)}{\sum_j\varphi_\sigma(k-k_j)})",
                     .assumptions = {"the density estimates of Eq 28 with one bandwidth sigma"},
                     .expected = Verdict::supported,
                     .note = "Judged for scalar keys and values, three samples: for vectors the kernels are products.",
                     .depends_on = {"twicing/eq-27"}},
                    density_estimate(1),
                    {{"value under the integral one percent larger", 0.01, density_estimate(1.01)}}});
  return claims;
}

}  // namespace attest::twicing
