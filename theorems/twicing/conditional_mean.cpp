// Appendix A.4, Eqs 27 and 28: the regression model of keys and values and its kernel density estimate.
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

/// Two equally likely keys; given key i the noise is e_i + spread or e_i - spread, equally likely, with e = (shift,
/// -shift): E[noise] = 0 exactly. f(k_i) = E[v | k_i]?
Check zero_mean_noise(double least_shift) {
  IdentityProblem p;
  p.lower = {-1, -1, least_shift, 0};
  p.upper = {1, 1, 1, 1};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"f", {x[0], x[1]}}, {"shift", {x[2]}}, {"spread", {x[3]}}};
  };
  p.rounding_bound = 4e-16;
  p.sides = [](const Inputs& in) -> IdentitySides {
    IdentitySides sides{{}, {}, 3};
    for (std::size_t i = 0; i < 2; ++i) {
      const double centre = in["f"][i] + (i == 0 ? 1 : -1) * in.scalar("shift");
      // sum of v p(v, k)/p(k) over the two values of v, p(v, k) = 1/4, p(k) = 1/2
      sides.lhs.push_back(in["f"][i]);
      sides.rhs.push_back(((centre + in.scalar("spread")) * 0.25 + (centre - in.scalar("spread")) * 0.25) / 0.5);
    }
    return sides;
  };
  p.ball_sides = [](const Inputs& in) -> IdentityBallSides {
    const Ball shift = in.scalar("shift");
    return {{in["f"][0], in["f"][1]}, {in["f"][0] + shift, in["f"][1] - shift}};
  };
  p.evaluations = 200;
  return identity(std::move(p));
}

/// Given the key the noise is a with probability tilt b/(a+b) and -b otherwise: conditional mean 0 for tilt = 1.
Check conditionally_centred_noise(double tilt) {
  IdentityProblem p;
  p.lower = {0.5, 0.1, 0.1};
  p.upper = {1, 2, 2};
  p.decode = [](std::span<const double> x) { return Inputs{{"f", {x[0]}}, {"a", {x[1]}}, {"b", {x[2]}}}; };
  p.rounding_bound = 2e-15;  // ten roundings of terms not above 3
  p.sides = [tilt](const Inputs& in) -> IdentitySides {
    const double a = in.scalar("a");
    const double b = in.scalar("b");
    const double up = tilt * b / (a + b);
    return {{in.scalar("f")}, {up * (in.scalar("f") + a) + (1 - up) * (in.scalar("f") - b)}, 3};
  };
  p.ball_sides = [tilt](const Inputs& in) -> IdentityBallSides {
    const Ball a = in.scalar("a");
    const Ball b = in.scalar("b");
    const Ball up = tilt * b / (a + b);
    return {{in.scalar("f")}, {up * (in.scalar("f") + a) + (1 - up) * (in.scalar("f") - b)}};
  };
  p.evaluations = 500;
  return identity(std::move(p));
}

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
  claims.push_back(
      {{.id = "twicing/eq-27",
        .label = "Eq 27",
        .title = "Random noise of mean zero makes the regression function the conditional mean",
        .kind = Kind::identity,
        .tex = R"(v=f(k)+\epsilon,\;E[\epsilon\mid k]=0\;\Rightarrow\;f(k)=E[v\mid k])",
        .assumptions = {"'random noise with zero mean' read as noise whose law given the key has mean zero"},
        .expected = Verdict::supported,
        .note = "Judged on every two-point law of mean zero with values in [0.1, 2]. The printed formula, "
                "E[epsilon] = 0 without the key, is judged apart."},
       conditionally_centred_noise(1),
       {{"probability of the upper value 0.1 percent larger", 0.001, conditionally_centred_noise(1.001)}}});
  claims.push_back({{.id = "twicing/eq-27-unconditional",
                     .label = "Eq 27 (noise of unconditional mean zero)",
                     .title = "Noise of unconditional mean zero makes the regression function the conditional mean",
                     .kind = Kind::identity,
                     .tex = R"(v=f(k)+\epsilon,\;E[\epsilon]=0\;\Rightarrow\;f(k)=E[v\mid k])",
                     .assumptions = {"E[epsilon] = 0, and nothing else about the joint law of k and epsilon"},
                     .expected = Verdict::refuted,
                     .printed = false,
                     .amends = "twicing/eq-27",
                     .note = "The stricter reading of E[epsilon] = 0."},
                    zero_mean_noise(-1),
                    {},
                    {{"noise of conditional mean zero", 1, conditionally_centred_noise(1)}}});
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
