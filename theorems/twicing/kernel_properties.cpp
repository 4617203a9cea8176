// Appendix A.2, first half: normalisation, symmetry and first moment of K^ = 2K - K*K, and what kind of kernel it is.
#include <cmath>

#include "kernels/regression/polynomial_kernel.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/bias_figures.hpp"
#include "theorems/twicing/illustrated.hpp"
#include "theorems/twicing/kernel_boxes.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::Form;
using rigor::Ball;

/// int (a K - K*K) = 1; a = 2 is printed.
Check normalisation(double a) {
  IdentityProblem mixtures = on_mixtures();
  mixtures.rounding_bound = 3 * quadrature_error;
  mixtures.sides = [a](const Inputs& in) -> IdentitySides {
    const auto k = symmetric_mixture<double>(in);
    return {{moment_by_quadrature(k.combined(a, k.convolved(k), -1), 0)}, {1}, 1};
  };
  mixtures.ball_sides = [a](const Inputs& in) -> IdentityBallSides {
    const auto k = symmetric_mixture<Ball>(in);
    return {{a * k.moment(0) - k.convolved(k).moment(0)}, {Ball(1)}};
  };
  IdentityProblem polynomials = on_polynomials();
  polynomials.rounding_bound = 3 * quadrature_error;
  polynomials.sides = [a](const Inputs& in) -> IdentitySides {
    const auto& k = polynomial_kernel(in);
    return {{a * moment_by_quadrature(k, Form::plain, 0) - moment_by_quadrature(k, Form::self_convolved, 0)}, {1}, 1};
  };
  polynomials.ball_sides = [a](const Inputs& in) -> IdentityBallSides {
    return {{a - polynomial_kernel(in).self_convolution_moment(0)}, {Ball(1)}};
  };
  return composite({{"normalisation, normal mixtures", Kind::identity, identity(std::move(mixtures))},
                    {"normalisation, compact kernels", Kind::identity, identity(std::move(polynomials))}});
}

/// K^(-u) = K^(u), K averaged with its mirror image or (the near-miss) not.
Check symmetry(bool symmetric_kernel) {
  IdentityProblem p = on_mixtures();
  p.lower.push_back(0.1);
  p.upper.push_back(4);
  for (auto& corner : p.corners) corner.push_back(1);
  p.decode = [](std::span<const double> x) {
    Inputs in = mixture_inputs(x);
    in.add("u", {x[5]});
    return in;
  };
  p.rounding_bound = quadrature_error;
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto k = regression::twiced(symmetric_kernel ? symmetric_mixture<double>(in) : mixture<double>(in));
    return {{k.value(-in.scalar("u"))}, {k.value(in.scalar("u"))}, 2 * symmetric_mixture<double>(in).value(0) + 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto k = regression::twiced(symmetric_kernel ? symmetric_mixture<Ball>(in) : mixture<Ball>(in));
    return {{1 + k.value(-Ball(in.scalar("u")))}, {1 + k.value(Ball(in.scalar("u")))}};
  };
  return identity(std::move(p));
}

/// int (u + 1) K^(u) du = 1 + shift: the first moment is 0, written so that both sides have a size.
Check first_moment(double shift, bool symmetric_kernel) {
  IdentityProblem p = on_mixtures();
  p.rounding_bound = 20 * quadrature_error;  // int |u| |K^| is at most 3 times 4
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const auto k = regression::twiced(symmetric_kernel ? symmetric_mixture<double>(in) : mixture<double>(in));
    return {{moment_by_quadrature(k, 1) + 1}, {1 + shift}, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto k = symmetric_kernel ? symmetric_mixture<Ball>(in) : mixture<Ball>(in);
    return {{2 * k.moment(1) - k.convolved(k).moment(1) + 1}, {1 + Ball(shift)}};
  };
  return identity(std::move(p));
}

Check three_properties(double a, bool symmetric_kernel, double shift) {
  return composite({{"normalisation", Kind::identity, normalisation(a)},
                    {"symmetry", Kind::identity, symmetry(symmetric_kernel)},
                    {"zero first moment", Kind::identity, first_moment(shift, true)}});
}

/// (sum_j K^(x - X_j) Y_j)/(sum_j K^(x - X_j)) <= bound for responses in [0, 1], K Gaussian, h = 1, x = 0, and design
/// points within `reach`.
/// The weights sum to more than 1/100: without a floor the estimate has no bound, and a search runs into sums of 0.
Check stays_in_range(double bound, double reach) {
  static constexpr double least_weight = 0.01;
  InequalityProblem p;
  p.lower = {0, 0, 0, 0};
  p.upper = {reach, reach, 1, 1};
  p.decode = [](std::span<const double> x) { return Inputs{{"design", {x[0], x[1]}}, {"responses", {x[2], x[3]}}}; };
  p.sides = [bound](const Inputs& in) -> Sides {
    const auto& gaussian = regression::find_kernel("gaussian");
    const double first = gaussian.twicing(in["design"][0]);
    const double second = gaussian.twicing(in["design"][1]);
    // The worst points lie on the floor: searched a little above it, they certainly meet the assumption.
    if (!(first + second > 1.01 * least_weight)) return {NAN, NAN};
    return {(first * in["responses"][0] + second * in["responses"][1]) / (first + second), bound};
  };
  p.ball_sides = [bound](const Inputs& in) -> BallSides {
    const auto& gaussian = regression::find_kernel("gaussian");
    const Ball first = gaussian.twicing(Ball(in["design"][0]));
    const Ball second = gaussian.twicing(Ball(in["design"][1]));
    bool admissible = rigor::certainly_less(least_weight, first + second);
    for (const double y : in["responses"]) admissible = admissible && y >= 0 && y <= 1;
    return {(first * in["responses"][0] + second * in["responses"][1]) / (first + second), Ball(bound), admissible};
  };
  p.evaluations = 4000;
  return inequality(std::move(p));
}

/// sign K^(u) < 0 for |u| beyond (sign 1) or within (sign -1) sqrt(6 log 2) `factor`, K Gaussian.
Check sign_beyond(double factor, int sign) {
  InequalityProblem p;
  p.relation = Relation::less;
  const double threshold = std::sqrt(6 * std::log(2.0)) * factor;
  // The worst points lie at the threshold: searched a little inside it, they certainly meet the assumption.
  constexpr double inside = 1e-12;
  p.lower = {sign > 0 ? threshold * (1 + inside) : 0};
  p.upper = {sign > 0 ? 30 : threshold * (1 - inside)};
  p.decode = [](std::span<const double> x) { return Inputs{{"u", {x[0]}}}; };
  // 2K against K*K: divided by K(u), which is positive, so that the far tail has a size in double precision too.
  p.sides = [=](const Inputs& in) -> Sides {
    const double u = in.scalar("u");
    return {sign * 2.0, sign * std::exp(u * u / 4) / std::sqrt(2.0)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball u = in.scalar("u");
    const Ball square = rigor::square(u);
    const Ball limit = 6 * rigor::log(Ball(2)) * rigor::square(Ball(factor));
    const auto& gaussian = regression::find_kernel("gaussian");
    return {sign * 2 * gaussian.value(u), sign * gaussian.self_convolution(u),
            sign > 0 ? rigor::certainly_less(limit, square) : rigor::certainly_less(square, limit)};
  };
  p.evaluations = 2000;
  return inequality(std::move(p));
}

Check negative_beyond(double outside, double inside) {
  return composite({{"negative beyond the threshold", Kind::universal_inequality, sign_beyond(outside, 1)},
                    {"positive within it", Kind::universal_inequality, sign_beyond(inside, -1)}});
}

}  // namespace

Claims kernel_properties() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/prop-2-kernel-properties",
        .label = "Prop 2 / A.2 (normalisation, symmetry, zero first moment)",
        .title = "The twicing kernel integrates to one, is even and has no first moment",
        .kind = Kind::identity,
        .tex = R"(\int\hat K=1,\quad \hat K(-u)=\hat K(u),\quad \int u\hat K(u)\,du=0,\qquad \hat K=2K-K*K)",
        .assumptions = {"K is a symmetric probability density", "K has a finite first absolute moment"},
        .expected = Verdict::supported,
        .note = "Whether K^ has 'valid kernel properties' beyond these three is judged apart."},
       three_properties(2, true, 0),
       {{"2K replaced by 2.01 K", 0.005, three_properties(2.01, true, 0)},
        {"K not symmetric", 1, three_properties(2, false, 0)},
        {"first moment 0.01 instead of 0", 0.01, three_properties(2, true, 0.01)}}});
  claims.push_back({{.id = "twicing/first-moment-any-kernel",
                     .label = "Prop 2 / A.2 (zero first moment without symmetry)",
                     .title = "Twicing removes the first moment of any kernel, symmetric or not",
                     .kind = Kind::identity,
                     .tex = R"(\int u\,(2K-K*K)(u)\,du = 2\mu_1(K)-2\mu_1(K) = 0 \quad\text{for every density } K)",
                     .assumptions = {"K is a probability density with a finite first absolute moment"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/prop-2-kernel-properties",
                     .note = "Symmetry is needed for Eq 23 only: without it mu_2(2K - K*K) = -2 mu_1(K)^2."},
                    first_moment(0, false),
                    {{"first moment 0.01 instead of 0", 0.01, first_moment(0.01, false)}}});
  claims.push_back(
      {{.id = "twicing/valid-kernel",
        .label = "Prop 2 / A.2 ('valid kernel properties', nonnegativity)",
        .title = "The estimator with the twicing kernel is a weighted mean of the responses",
        .kind = Kind::definition,
        .tex = R"(0\le Y_j\le 1 \;\Rightarrow\; \frac{\sum_j\hat K(x-X_j)Y_j}{\sum_j\hat K(x-X_j)}\le 1)",
        .assumptions = {"K is the Gaussian kernel, two design points", "the two weights sum to more than 1/100"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/prop-2-kernel-properties",
        .note =
            "By 'valid kernel properties' the appendix means normalisation, symmetry and a zero first moment, which "
            "hold. What makes a Nadaraya-Watson estimate a mean is nonnegativity, which a kernel with mu_2 = 0 "
            "cannot have.",
        .depends_on = {"twicing/prop-2-kernel-properties"}},
       stays_in_range(1, 4),
       {},
       {{"design points within two bandwidths", 0.5, stays_in_range(1, 2)}}});
  claims.push_back({{.id = "twicing/negative-lobes",
                     .label = "Prop 2 / A.2 (negative lobes of the Gaussian twicing kernel)",
                     .title = "The Gaussian twicing kernel is negative exactly beyond sqrt(6 log 2) bandwidths",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\hat K(u)<0 \iff |u|>\sqrt{6\log 2}\approx 2.039)",
                     .assumptions = {"K is the Gaussian kernel of variance 1", "|u| <= 30"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/valid-kernel"},
                    illustrated(negative_beyond(1, 1), kernel_figures),
                    {{"threshold one percent lower", 0.01, negative_beyond(0.99, 1)},
                     {"threshold one percent higher", 0.01, negative_beyond(1, 1.01)}}});
  return claims;
}

}  // namespace attest::twicing
