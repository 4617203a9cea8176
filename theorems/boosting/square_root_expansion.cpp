// Appendix A: the expansion of sqrt(xi) about 1, Eq A.8, and what it leaves of the mean norm of the noise.
#include <cmath>

#include "theorems/boosting/exact_perturbation.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// (sqrt(xi) - 1 - (xi - 1)/2)/(xi - 1)^2 -> coefficient as xi -> 1 from above and from below.
Check taylor(const Ball& coefficient) {
  std::vector<Part> parts;
  for (const int sign : {1, -1}) {
    SequenceProblem p;
    p.claim = Asymptotics::limit;
    p.n = geometric_grid(64, 4, 8);
    p.value = [sign](double n) {
      const Ball step = Ball(sign) / Ball(n);
      return (rigor::sqrt(1 + step) - 1 - step / 2) / (step * step);
    };
    p.reference = [coefficient](double) { return coefficient; };
    p.resolution = 1e-4;
    parts.push_back({sign > 0 ? "xi = 1 + 1/n" : "xi = 1 - 1/n", Kind::limit, sequence(std::move(p))});
  }
  return composite(std::move(parts));
}

/// 1 + slope (xi - 1) - (xi - 1)^2/gamma <= sqrt(xi) <= 1 + slope (xi - 1) for xi >= 0 and 0 < gamma <= largest_gamma.
Check sandwich(double slope, double largest_gamma) {
  const auto side = [=](bool lower) {
    InequalityProblem p;
    p.relation = lower ? Relation::less_equal : Relation::greater_equal;
    p.lower = {0, 0.01};
    p.upper = {20, largest_gamma};
    p.corners = {{0, largest_gamma}, {0, 2}, {1, largest_gamma}, {1.01, 1}, {1e-6, largest_gamma}};
    p.decode = [](std::span<const double> x) { return Inputs{{"xi", {x[0]}}, {"gamma", {x[1]}}}; };
    p.sides = [=](const Inputs& in) -> Sides {
      const double xi = in.scalar("xi"), quadratic = lower ? (xi - 1) * (xi - 1) / in.scalar("gamma") : 0;
      return {1 + slope * (xi - 1) - quadratic, std::sqrt(xi)};
    };
    p.ball_sides = [=](const Inputs& in) -> BallSides {
      const Ball xi = in.scalar("xi"), gamma = in.scalar("gamma");
      const Ball tangent = 1 + Ball(slope) * (xi - 1);
      return {lower ? tangent - rigor::square(xi - 1) / gamma : tangent, rigor::sqrt(xi),
              xi.is_nonnegative() && gamma.is_positive() && rigor::certainly_less_equal(gamma, Ball(largest_gamma))};
    };
    p.evaluations = 4000;
    return inequality(std::move(p));
  };
  return composite({{"lower side", Kind::universal_inequality, side(true)},
                    {"upper side", Kind::universal_inequality, side(false)}});
}

/// sqrt(N) (sqrt(N) - E|eta|) -> constant (kappa - 1) for Gaussian noise, whose norm has a closed form, and for
/// three-point noise of kurtosis 10, a finite sum.
Check norm_gap(const Ball& constant) {
  SequenceProblem gaussian;
  gaussian.claim = Asymptotics::limit;
  gaussian.n = geometric_grid(16, 4, 8);
  gaussian.value = [](double n) {
    const Ball half = Ball(n) / 2,
               mean = rigor::sqrt(Ball(2)) * rigor::exp(rigor::lgamma(half + Ball(0.5)) - rigor::lgamma(half));
    return rigor::sqrt(Ball(n)) * (rigor::sqrt(Ball(n)) - mean);
  };
  gaussian.reference = [constant](double) { return constant * 2; };
  gaussian.resolution = 1e-3;
  SequenceProblem sparse = gaussian;
  sparse.n = geometric_grid(32, 2, 6);
  sparse.value = [](double n) {
    const auto count = static_cast<std::int64_t>(n);
    const Ball p = Ball::from_rational(1, 10);
    const rigor::BallVector probabilities = binomial_probabilities(count, p);
    Ball mean = 0;
    for (std::int64_t k = 0; k <= count; ++k)
      mean += probabilities[static_cast<std::size_t>(k)] * rigor::sqrt(Ball(k) / p);
    return rigor::sqrt(Ball(n)) * (rigor::sqrt(Ball(n)) - mean);
  };
  sparse.reference = [constant](double) { return constant * 9; };
  sparse.resolution = 5e-3;
  return composite({{"Gaussian noise, kappa = 3", Kind::limit, sequence(std::move(gaussian))},
                    {"three-point noise, kappa = 10", Kind::limit, sequence(std::move(sparse))}});
}

}  // namespace

Claims square_root_expansion() {
  Claims claims;
  claims.push_back({{.id = "boosting/sec-a-taylor",
                     .label = "Sec A (Taylor of sqrt(xi))",
                     .title = "Second-order expansion of the square root about 1",
                     .kind = Kind::limit,
                     .tex = R"(\sqrt{\xi} = 1 + \frac{\xi - 1}{2} - \frac{(\xi - 1)^2}{8} + o((\xi - 1)^2))",
                     .assumptions = {"xi -> 1"},
                     .expected = Verdict::supported},
                    taylor(Ball::from_rational(-1, 8)),
                    {{"coefficient -0.12625 instead of -0.125", 0.01, taylor(Ball::from_decimal("-0.12625"))},
                     {"coefficient -1/4", 1, taylor(Ball::from_rational(-1, 4))}}});
  claims.push_back(
      {{.id = "boosting/eq-a.8",
        .label = "Eq A.8",
        .title = "The square root lies between its tangent and a parabola below it",
        .kind = Kind::universal_inequality,
        .tex = R"(1 + \frac{\xi - 1}{2} - \frac{(\xi - 1)^2}{\gamma} \le \sqrt{\xi} \le 1 + \frac{\xi - 1}{2})",
        .assumptions = {"xi >= 0", "0 < gamma <= 2"},
        .expected = Verdict::supported,
        .note = "With s = sqrt(xi) the lower gap is (s - 1)^2 ((s + 1)^2/gamma - 1/2): gamma = 2 is the largest "
                "admissible, with "
                "equality at xi = 0."},
       sandwich(0.5, 2),
       {{"gamma up to 2.002", 0.001, sandwich(0.5, 2.002)}, {"slope 0.495 instead of 1/2", 0.01, sandwich(0.495, 2)}}});
  claims.push_back(
      {{.id = "boosting/sec-a-norm-gap",
        .label = "Sec A (the gap of E|eta| to sqrt N)",
        .title = "The gap of the mean norm to sqrt N is (kurtosis - 1)/(8 sqrt N)",
        .kind = Kind::limit,
        .tex = R"(\sqrt{N}\left(\sqrt{N} - \mathbb{E}\|\eta\|\right) \to \frac{\kappa - 1}{8})",
        .assumptions = {"eta_i independent and identically distributed, mean 0, variance 1, kappa = E eta_i^4 "
                        "finite",
                        "judged for Gaussian noise and for three-point noise of kurtosis 10"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/sec-a-norm-statement"},
       norm_gap(Ball::from_rational(1, 8)),
       {{"constant 0.12625 instead of 1/8", 0.01, norm_gap(Ball::from_decimal("0.12625"))},
        {"constant 1/2, the bound of Eq A.8", 3, norm_gap(Ball::from_rational(1, 2))}}});
  return claims;
}

}  // namespace attest::boosting
