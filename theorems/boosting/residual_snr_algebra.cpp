// Equations 3.6 and 3.7: from norms to alpha, beta and gamma.
#include <cmath>

#include "theorems/boosting/polynomial_identity.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/identity.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;

namespace {

// 1 + gamma^p + 2 gamma = (1 + gamma)^q; printed: p = 1, q = 2; read: p = 2, q = 2.
Check denominator_identity(double power, double outer_power) {
  IdentityProblem problem;
  problem.lower = {0};
  problem.upper = {1};
  problem.corners = {{0}, {0.5}, {1}};
  problem.decode = [](std::span<const double> x) { return Inputs{{"gamma", {x[0]}}}; };
  problem.sides = [=](const Inputs& in) {
    const double gamma = in.scalar("gamma");
    return IdentitySides{{1 + std::pow(gamma, power) + 2 * gamma}, {std::pow(1 + gamma, outer_power)}, 0};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const Ball gamma = in.scalar("gamma");
    IdentityBallSides sides;
    sides.lhs = {1 + pow(gamma, Ball(power)) + 2 * gamma};
    sides.rhs = {pow(1 + gamma, Ball(outer_power))};
    return sides;
  };
  problem.rounding_bound = 6 * 0x1p-53;  // Two sums of positive terms, a power within one unit, on either side.
  return identity(std::move(problem));
}

// 1 + square gamma^2 + 2 gamma = (1 + gamma)^2.
Check corrected_denominator(double square_factor) {
  return polynomial_identity({"gamma"}, 2, "one number", [=](const Inputs& in) -> BallSides {
    const Ball gamma = in.scalar("gamma");
    return {1 + Ball(square_factor) * gamma * gamma + 2 * gamma, square(1 + gamma)};
  });
}

// (1 + gamma) + 2 gamma - factor (1 + gamma)^2 >= 0. With factor 1 the difference is gamma (1 - gamma).
Check printed_denominator_is_larger(double factor) {
  BoxProblem problem;
  problem.domain = "gamma in [0, 1]";
  problem.coordinates = {"gamma"};
  problem.lower = {0};
  problem.upper = {1};
  problem.margin = [factor](std::span<const Ball> x) {
    return x[0] * (1 - x[0]) - (Ball(factor) - 1) * square(1 + x[0]);
  };
  return certify_on_box(std::move(problem));
}

}  // namespace

Claims residual_snr_algebra() {
  return {
      {{.id = "boosting/residual-snr-denominator",
        .label = "Eq 3.6-3.7",
        .title = "The denominator as printed",
        .kind = Kind::identity,
        .tex = R"((1+\gamma)\|\boldsymbol\eta\|^2 + 2\gamma\|\boldsymbol\eta\|^2 = (1+\gamma)^2\|\boldsymbol\eta\|^2)",
        .assumptions = {"gamma in [0, 1]."},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note =
            "True at gamma = 0 and gamma = 1 only. The square of gamma is missing, in print or in the text copy; the "
            "result, Eq 3.7, is that of the corrected line.",
        .depends_on = {"boosting/residual-snr-cauchy-schwarz"}},
       denominator_identity(1, 2),
       {},
       {{"gamma squared", 1, denominator_identity(2, 2)}}},
      {{.id = "boosting/residual-snr-denominator-corrected",
        .label = "Eq 3.6-3.7 (with gamma squared)",
        .title = "The denominator with the square in place",
        .kind = Kind::identity,
        .tex =
            R"((1+\gamma^2)\|\boldsymbol\eta\|^2 + 2\gamma\|\boldsymbol\eta\|^2 = (1+\gamma)^2\|\boldsymbol\eta\|^2)",
        .assumptions = {"every real gamma"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/residual-snr-denominator",
        .note = "A polynomial identity of degree 2, which three points settle."},
       corrected_denominator(1),
       {{"1.001 gamma^2 for gamma^2", 0.001, corrected_denominator(1.001)}}},
      {{.id = "boosting/residual-snr-denominator-inequality",
        .label = "Eq 3.6-3.7 (as an inequality)",
        .title = "The printed denominator is never too small",
        .kind = Kind::universal_inequality,
        .tex = R"((1+\gamma) + 2\gamma \ge (1+\gamma)^2 \text{ on } [0,1])",
        .assumptions = {"gamma in [0, 1]."},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/residual-snr-denominator",
        .note =
            "So the printed first line of Eq 3.6 is a valid, weaker lower bound, and only the equality sign after it "
            "fails: it would have to be <=, which is the wrong way for the proof. Equality at 0 and 1."},
       printed_denominator_is_larger(1),
       {{"(1 + gamma)^2 multiplied by 1.0001", 0.0001, printed_denominator_is_larger(1.0001)}}},
  };
}

}  // namespace attest::boosting
