// What the lower bias costs: the roughness R = int K^2, which the variance of a kernel smoother is proportional to.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/regression/polynomial_kernel.hpp"
#include "kernels/regression/population.hpp"
#include "kernels/regression/quadrature.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/kernel_boxes.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::NormalMixture;
using rigor::Ball;

constexpr double infinity = std::numeric_limits<double>::infinity();

Ball one() { return 1; }
Ball gaussian_value() { return 4 - 8 / rigor::sqrt(Ball(6)) + 1 / rigor::sqrt(Ball(2)); }

/// R(2K - K*K)/R(K) = factor (4 - 8/sqrt 6 + 1/sqrt 2) for the normal density of any variance.
Check gaussian_price(double factor) {
  IdentityProblem p;
  p.lower = {0.1};
  p.upper = {2};
  p.decode = [](std::span<const double> x) { return Inputs{{"variance", {x[0]}}}; };
  p.rounding_bound = 4 * quadrature_error;
  p.sides = [factor](const Inputs& in) -> IdentitySides {
    const NormalMixture<double> kernel({{1, 0, in.scalar("variance")}});
    const NormalMixture<double> twicing = regression::twiced(kernel);
    const std::vector<double> splits{-infinity, -4, -2, -1, -0.5, 0, 0.5, 1, 2, 4, infinity};
    const auto roughness = [&](const NormalMixture<double>& g) {
      return regression::integrate([&](double u) { return g.value(u) * g.value(u); }, splits).value;
    };
    return {{roughness(twicing) / roughness(kernel)}, {factor * (4 - 8 / std::sqrt(6.0) + 1 / std::sqrt(2.0))}};
  };
  p.ball_sides = [factor](const Inputs& in) -> IdentityBallSides {
    const NormalMixture<Ball> kernel({{1, 0, Ball(in.scalar("variance"))}});
    const NormalMixture<Ball> twicing = regression::twiced(kernel);
    return {{twicing.inner_product(twicing) / kernel.inner_product(kernel)}, {factor * gaussian_value()}};
  };
  p.evaluations = 200;
  return identity(std::move(p));
}

/// The same ratio for compact kernels, as fractions.
struct Fraction {
  const char* kernel;
  std::int64_t numerator;
  std::int64_t denominator;
};
constexpr std::array<Fraction, 3> prices{{{"uniform", 5, 3}, {"triangular", 149, 105}, {"epanechnikov", 41935, 29568}}};

Check compact_price(double factor) {
  IdentityProblem p;
  p.lower = {0};
  p.upper = {static_cast<double>(prices.size()) - 1};
  p.decode = [](std::span<const double> x) { return Inputs{{"row", {std::round(x[0])}}}; };
  for (std::size_t row = 0; row < prices.size(); ++row) p.corners.push_back({static_cast<double>(row)});
  p.rounding_bound = 4 * quadrature_error;
  const auto row = [](const Inputs& in) { return prices[static_cast<std::size_t>(in.scalar("row"))]; };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto& kernel = regression::find_kernel(row(in).kernel);
    return {{regression::twicing_roughness(kernel).value / kernel.roughness()},
            {factor * static_cast<double>(row(in).numerator) / static_cast<double>(row(in).denominator)}};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    for (const auto* kernel : regression::polynomial_kernels()) {
      if (kernel->name() != row(in).kernel) continue;
      return {{kernel->twicing_roughness_ball() / kernel->self_convolution(Ball(0))},
              {factor * Ball::from_rational(row(in).numerator, row(in).denominator)}};
    }
    throw std::logic_error("a fraction for a kernel that is not compact");
  };
  p.evaluations = 30;
  p.ball_points = 3;
  return identity(std::move(p));
}

/// Symmetric mixtures for the bounds: weight of the first component and log10 of it, centres, log10 of standard
/// deviations. `centred`: centres 0, whose characteristic function is positive.
void rough_box(InequalityProblem& p, bool centred) {
  p.lower = {-4, 0, 0, -9, -2};
  p.upper = {0, centred ? 0.0 : 3.0, centred ? 0.0 : 3.0, 1, 1};
  // A needle of little mass on a broad base; two needles one apart.
  p.corners = {{-3, 0, 0, -8, 0}, {-2, 0, 0, -6, 0}};
  if (!centred) p.corners.push_back({0, 1, 1, -2, -2});
  p.decode = [](std::span<const double> x) {
    return Inputs{{"weight", {std::pow(10, x[0])}},
                  {"centres", {x[1], x[2]}},
                  {"variances", {std::pow(100, x[3]), std::pow(100, x[4])}}};
  };
}

/// R(2K - K*K)/R(K) relation factor bound(). In double from the signed mixture 2K - K*K; in balls from the values at 0
/// of the convolution powers, R(2K - K*K) = 4 K*K - 4 K*K*K + K*K*K*K.
Check price_bound(bool centred, Relation relation, double factor, Ball (*bound)()) {
  InequalityProblem p;
  p.relation = relation;
  rough_box(p, centred);
  p.sides = [=](const Inputs& in) -> Sides {
    const auto kernel = symmetric_mixture<double>(in);
    const auto twicing = regression::twiced(kernel);
    return {twicing.inner_product(twicing) / kernel.inner_product(kernel), factor * bound().mid()};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const auto kernel = symmetric_mixture<Ball>(in);
    const auto square = kernel.convolved(kernel);
    const Ball second = square.value(0);
    const Ball third = square.inner_product(kernel);
    const Ball fourth = square.inner_product(square);
    const double weight = in.scalar("weight");
    const bool admissible =
        weight >= 0 && weight <= 1 && (!centred || (in["centres"][0] == 0 && in["centres"][1] == 0));
    return {(4 * second - 4 * third + fourth) / second, factor * bound(), admissible};
  };
  p.evaluations = 4000;
  return inequality(std::move(p));
}

Check price_bounds(bool centred, double lower, double upper) {
  return composite({{"above", Kind::universal_inequality, price_bound(centred, Relation::greater, lower, one)},
                    {"below", Kind::universal_inequality, price_bound(centred, Relation::less, upper, one)}});
}

}  // namespace

Claims variance_price() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/variance-price-gaussian",
        .label = "Prop 2 (variance price, Gaussian kernel)",
        .title = "On the line, with the Gaussian kernel, twicing raises the variance by 44.1 percent",
        .kind = Kind::identity,
        .tex = R"(\frac{R(\hat K)}{R(K)}=4-\frac8{\sqrt6}+\frac1{\sqrt2}\approx1.4411,\qquad R(K)=\int K^2)",
        .assumptions = {"K is a Gaussian kernel of any bandwidth, in one dimension",
                        "homoscedastic noise: the variance is asymptotically s^2 R(K)/(n h f(x))"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/prop-2",
        .note = "The paper states the lower bias and is silent about its price. One dimension: the factor grows with "
                "it, which is judged apart."},
       gaussian_price(1),
       {{"factor 0.1 percent larger", 0.001, gaussian_price(1.001)}}});
  claims.push_back(
      {{.id = "twicing/variance-price-compact",
        .label = "Prop 2 (variance price, compact kernels)",
        .title = "On the line: the variance factors of the uniform, triangular and Epanechnikov kernels",
        .kind = Kind::identity,
        .tex = R"(\frac{R(\hat K)}{R(K)}=\tfrac53\text{ (uniform)},\quad\tfrac{149}{105}\text{ (triangular)},)"
               R"(\quad\tfrac{41935}{29568}\text{ (Epanechnikov)})",
        .assumptions = {"homoscedastic noise"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/prop-2"},
       compact_price(1),
       {{"factors 0.1 percent larger", 0.001, compact_price(1.001)}}});
  claims.push_back({{.id = "twicing/variance-price-bounds",
                     .label = "Prop 2 (variance price, every symmetric kernel)",
                     .title = "On the line twicing always raises the variance, and less than fivefold",
                     .kind = Kind::universal_inequality,
                     .tex = R"(1<\frac{R(\hat K)}{R(K)}<5)",
                     .assumptions = {"K is a symmetric, square-integrable probability density", "homoscedastic noise"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/prop-2",
                     .note = "R(K^)/R(K) = 4 - 4 K*K*K(0)/K*K(0) + K*K*K*K(0)/K*K(0), where the middle term is not "
                             "positive and the last is "
                             "below one. Neither end is shown sharp: the near-misses tell how loose they are."},
                    price_bounds(false, 1, 5),
                    {{"lower bound 1.44", 0.44, price_bounds(false, 1.44, 5)},
                     {"upper bound 4.5", 0.1, price_bounds(false, 1, 4.5)}}});
  claims.push_back(
      {{.id = "twicing/variance-price-positive-definite",
        .label = "Prop 2 (variance price, positive definite kernels)",
        .title = "On the line, for positive definite kernels, twicing raises the variance less than fourfold",
        .kind = Kind::universal_inequality,
        .tex = R"(1<\frac{R(\hat K)}{R(K)}<4\qquad(\tilde K\ge0))",
        .assumptions = {"K is a square-integrable probability density with a nonnegative characteristic function",
                        "homoscedastic noise"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/variance-price-bounds",
        .note = "Four is approached by a needle of small mass on a broad base."},
       price_bounds(true, 1, 4),
       {{"upper bound one percent lower", 0.01, price_bounds(true, 1, 3.96), "below"},
        {"lower bound 1.45", 0.45, price_bounds(true, 1.45, 4), "above"}}});
  claims.push_back(
      {{.id = "twicing/variance-price-scale-mixtures",
        .label = "Prop 2 (variance price, scale mixtures of normals)",
        .title =
            "On the line, among scale mixtures of normals, the Gaussian kernel pays the least variance for twicing",
        .kind = Kind::universal_inequality,
        .tex = R"(\frac{R(\hat K)}{R(K)}\ge4-\frac8{\sqrt6}+\frac1{\sqrt2}\qquad)"
               R"(\text{for } K=\int\varphi_v\,dP(v),\text{ with equality for one } v)",
        .assumptions = {"K is a scale mixture of centred normal densities"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/variance-price-gaussian",
        .note = "Proof: sqrt(2 pi n) times the n-fold convolution power of K at 0 is E f(mean of n independent v) with "
                "f(x) = x^(-1/2), a mixture of L(s/n)^n, L the Laplace transform of P; n log L(s/n) is convex in n, so "
                "these values g_n are convex and decreasing in n, and the claim reads g_2 - g_4 <= (8/sqrt 3)(g_2 - "
                "g_3)."},
       price_bound(true, Relation::greater_equal, 1, gaussian_value),
       {{"bound one percent higher", 0.01, price_bound(true, Relation::greater_equal, 1.01, gaussian_value)},
        {"centres free", 1, price_bound(false, Relation::greater_equal, 1, gaussian_value)}}});
  return claims;
}

}  // namespace attest::twicing
