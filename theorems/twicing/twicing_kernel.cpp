// Appendix A.2, first half: what the moments of K^ = 2K - K*K are, and what kind of kernel it is.
#include <cmath>

#include "kernels/regression/polynomial_kernel.hpp"
#include "kernels/regression/population.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/bias_setting.hpp"
#include "theorems/twicing/symmetric_mixture.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::Form;
using regression::NormalMixture;
using regression::polynomial_kernels;
using rigor::Ball;

IdentityProblem on_mixtures() {
  IdentityProblem p;
  p.lower.assign(std::begin(mixture_lower), std::end(mixture_lower));
  p.upper.assign(std::begin(mixture_upper), std::end(mixture_upper));
  p.decode = mixture_inputs;
  p.corners = {{0.5, 0, 0, 1, 1}, {0.5, 1, 1, 0.25, 0.25}};  // Gaussian, bimodal
  p.evaluations = 300;
  return p;
}

/// Every compact kernel: the index of `polynomial_kernels` is the only coordinate.
IdentityProblem on_polynomials() {
  IdentityProblem p;
  p.lower = {0};
  p.upper = {static_cast<double>(polynomial_kernels().size()) - 1};
  p.decode = [](std::span<const double> x) { return Inputs{{"kernel", {std::round(x[0])}}}; };
  for (double i = 0; i <= p.upper[0]; ++i) p.corners.push_back({i});
  p.evaluations = 60;
  p.ball_points = 6;
  return p;
}

const regression::PolynomialKernel& polynomial_kernel(const Inputs& in) {
  return *polynomial_kernels()[static_cast<std::size_t>(in.scalar("kernel"))];
}

/// int u^k L(u) du by quadrature.
double kernel_moment(const regression::Kernel& kernel, Form form, int k) {
  const double reach = kernel.radius(form);
  return regression::convolve(
             kernel, form, [k](double t) { return std::pow(t, k); }, {}, -reach, reach, 0, 1)
      .value;
}

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
    return {{a * kernel_moment(k, Form::plain, 0) - kernel_moment(k, Form::self_convolved, 0)}, {1}, 1};
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

Check kernel_properties(double a, bool symmetric_kernel, double shift) {
  return composite({{"normalisation", Kind::identity, normalisation(a)},
                    {"symmetry", Kind::identity, symmetry(symmetric_kernel)},
                    {"zero first moment", Kind::identity, first_moment(shift, true)}});
}

/// mu_2(K*K) = factor mu_2(K); 2 is printed.
Check second_moment(double factor, bool symmetric_kernel) {
  IdentityProblem mixtures = on_mixtures();
  mixtures.rounding_bound = 4 * quadrature_error;
  mixtures.sides = [=](const Inputs& in) -> IdentitySides {
    const auto k = symmetric_kernel ? symmetric_mixture<double>(in) : mixture<double>(in);
    return {{moment_by_quadrature(k.convolved(k), 2)}, {factor * moment_by_quadrature(k, 2)}};
  };
  mixtures.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto k = symmetric_kernel ? symmetric_mixture<Ball>(in) : mixture<Ball>(in);
    return {{k.convolved(k).moment(2)}, {factor * k.moment(2)}};
  };
  IdentityProblem polynomials = on_polynomials();
  polynomials.rounding_bound = 4 * quadrature_error;
  polynomials.sides = [=](const Inputs& in) -> IdentitySides {
    const auto& k = polynomial_kernel(in);
    return {{kernel_moment(k, Form::self_convolved, 2)}, {factor * kernel_moment(k, Form::plain, 2)}};
  };
  polynomials.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto& k = polynomial_kernel(in);
    return {{k.self_convolution_moment(2)}, {factor * k.moment_ball(2)}};
  };
  return composite({{"normal mixtures", Kind::identity, identity(std::move(mixtures))},
                    {"compact kernels", Kind::identity, identity(std::move(polynomials))}});
}

/// 2 mu_4(K) - mu_4(K*K) = factor mu_2(K)^2.
Check fourth_moment(double factor) {
  IdentityProblem mixtures = on_mixtures();
  mixtures.rounding_bound = 4 * quadrature_error;
  mixtures.sides = [=](const Inputs& in) -> IdentitySides {
    const auto k = symmetric_mixture<double>(in);
    const double variance = moment_by_quadrature(k, 2);
    return {{moment_by_quadrature(regression::twiced(k), 4)},
            {factor * variance * variance},
            4 * moment_by_quadrature(k, 4)};
  };
  mixtures.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto k = symmetric_mixture<Ball>(in);
    return {{2 * k.moment(4) - k.convolved(k).moment(4)}, {factor * rigor::square(k.moment(2))}};
  };
  IdentityProblem polynomials = on_polynomials();
  polynomials.rounding_bound = 4 * quadrature_error;
  polynomials.sides = [=](const Inputs& in) -> IdentitySides {
    const auto& k = polynomial_kernel(in);
    const double variance = kernel_moment(k, Form::plain, 2);
    return {{kernel_moment(k, Form::twiced, 4)}, {factor * variance * variance}, 4 * kernel_moment(k, Form::plain, 4)};
  };
  polynomials.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const auto& k = polynomial_kernel(in);
    return {{2 * k.moment_ball(4) - k.self_convolution_moment(4)}, {factor * rigor::square(k.moment_ball(2))}};
  };
  return composite({{"normal mixtures", Kind::identity, identity(std::move(mixtures))},
                    {"compact kernels", Kind::identity, identity(std::move(polynomials))}});
}

/// The bias with K^ is O(h^order), m three times a cosine under a uniform design, every kernel with a variance.
Check bias_order(double order) {
  std::vector<Part> parts;
  for (const auto* kernel : regression::all_kernels()) {
    if (std::isinf(kernel->moment(2))) continue;
    const BiasSetting setting = uniform_setting(*kernel);
    SequenceProblem p;
    p.claim = Asymptotics::at_most;
    p.n = geometric_grid(4, 2, 7);
    p.value = [setting](double n) { return setting.bias(Form::twiced, n); };
    p.reference = [order](double n) { return rigor::pow(Ball(n), Ball(-order)); };
    p.resolution = 0.01;
    parts.push_back({std::string(kernel->name()), Kind::rate, sequence(std::move(p))});
  }
  return composite(std::move(parts));
}

/// (sum_j K^(x - X_j) Y_j)/(sum_j K^(x - X_j)) <= bound for responses in [0, 1], K Gaussian, h = 1, x = 0.
Check stays_in_range(double bound) {
  InequalityProblem p;
  p.lower = {0, 0, 0, 0};
  p.upper = {4, 4, 1, 1};
  p.decode = [](std::span<const double> x) { return Inputs{{"design", {x[0], x[1]}}, {"responses", {x[2], x[3]}}}; };
  p.sides = [bound](const Inputs& in) -> Sides {
    const auto& gaussian = regression::find_kernel("gaussian");
    const double first = gaussian.twicing(in["design"][0]);
    const double second = gaussian.twicing(in["design"][1]);
    if (!(first + second > 0)) return {NAN, NAN};
    return {(first * in["responses"][0] + second * in["responses"][1]) / (first + second), bound};
  };
  p.ball_sides = [bound](const Inputs& in) -> BallSides {
    const auto& gaussian = regression::find_kernel("gaussian");
    const Ball first = gaussian.twicing(Ball(in["design"][0]));
    const Ball second = gaussian.twicing(Ball(in["design"][1]));
    bool admissible = (first + second).is_positive();
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
  p.lower = {sign > 0 ? threshold : 0};
  p.upper = {sign > 0 ? 30 : threshold};
  p.decode = [](std::span<const double> x) { return Inputs{{"u", {x[0]}}}; };
  // Divided by K(u), which is positive, so that the far tail has a sign in double precision too.
  p.sides = [=](const Inputs& in) -> Sides {
    const double u = in.scalar("u");
    return {sign * (2 - std::exp(u * u / 4) / std::sqrt(2.0)), 0};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball u = in.scalar("u");
    const Ball square = rigor::square(u);
    const Ball limit = 6 * rigor::log(Ball(2)) * rigor::square(Ball(factor));
    return {sign * regression::find_kernel("gaussian").twicing(u), Ball(0),
            sign > 0 ? rigor::certainly_less(limit, square) : rigor::certainly_less(square, limit)};
  };
  p.evaluations = 2000;
  return inequality(std::move(p));
}

Check negative_beyond(double outside, double inside) {
  return composite({{"negative beyond the threshold", Kind::universal_inequality, sign_beyond(outside, 1)},
                    {"positive within it", Kind::universal_inequality, sign_beyond(inside, -1)}});
}

/// 2K - K*K = factor/(pi (1 + u^2)(4 + u^2)) for the Cauchy kernel.
Check cauchy_twicing(double factor) {
  IdentityProblem p;
  p.lower = {0};
  p.upper = {20};
  p.decode = [](std::span<const double> x) { return Inputs{{"u", {x[0]}}}; };
  p.rounding_bound = 1e-15;  // four roundings of terms not above 2 K(0) = scale
  p.sides = [factor](const Inputs& in) -> IdentitySides {
    const double u = in.scalar("u");
    return {{regression::find_kernel("cauchy").twicing(u)}, {factor / (M_PI * (1 + u * u) * (4 + u * u))}, 2 / M_PI};
  };
  p.ball_sides = [factor](const Inputs& in) -> IdentityBallSides {
    const Ball square = rigor::square(Ball(in.scalar("u")));
    return {{2 / (Ball::pi() * (1 + square)) - 2 / (Ball::pi() * (4 + square))},
            {factor / (Ball::pi() * (1 + square) * (4 + square))}};
  };
  return identity(std::move(p));
}

}  // namespace

Claims twicing_kernel() {
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
       kernel_properties(2, true, 0),
       {{"2K replaced by 2.01 K", 0.005, kernel_properties(2.01, true, 0)},
        {"K not symmetric", 1, kernel_properties(2, false, 0)},
        {"first moment 0.01 instead of 0", 0.01, kernel_properties(2, true, 0.01)}}});
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
        .label = "Prop 2 / A.2 ('valid kernel properties')",
        .title = "The estimator with the twicing kernel is a weighted mean of the responses",
        .kind = Kind::definition,
        .tex = R"(0\le Y_j\le 1 \;\Rightarrow\; \frac{\sum_j\hat K(x-X_j)Y_j}{\sum_j\hat K(x-X_j)}\le 1)",
        .assumptions = {"K is the Gaussian kernel, two design points", "the weights have a positive sum"},
        .expected = Verdict::refuted,
        .note = "The appendix shows normalisation, symmetry and a zero first moment, which hold; what makes a "
                "Nadaraya-Watson estimate a mean is nonnegativity, which a kernel with mu_2 = 0 cannot have."},
       stays_in_range(1),
       {{"overshoot by a factor of two allowed", 1, stays_in_range(2)},
        {"overshoot by one percent allowed", 0.01, stays_in_range(1.01)}}});
  claims.push_back({{.id = "twicing/negative-lobes",
                     .label = "Prop 2 / A.2 (negative lobes of the Gaussian twicing kernel)",
                     .title = "The Gaussian twicing kernel is negative exactly beyond sqrt(6 log 2) bandwidths",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\hat K(u)<0 \iff |u|>\sqrt{6\log 2}\approx 2.039)",
                     .assumptions = {"K is the Gaussian kernel of variance 1", "|u| <= 30"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/valid-kernel"},
                    negative_beyond(1, 1),
                    {{"threshold one percent lower", 0.01, negative_beyond(0.99, 1)},
                     {"threshold one percent higher", 0.01, negative_beyond(1, 1.01)}}});
  claims.push_back(
      {{.id = "twicing/eq-23",
        .label = "Eq 23",
        .title = "The second moment doubles under self-convolution, so that of the twicing kernel vanishes",
        .kind = Kind::identity,
        .tex = R"(\mu_2(K*K)=2\mu_2(K),\qquad \mu_2(\hat K)=2\mu_2(K)-2\mu_2(K)=0)",
        .assumptions = {"K is a symmetric probability density", "mu_2(K) is finite"},
        .expected = Verdict::supported},
       second_moment(2, true),
       {{"factor two raised by half a percent", 0.005, second_moment(2.01, true)},
        {"K not symmetric", 1, second_moment(2, false)}}});
  claims.push_back({{.id = "twicing/cauchy-twicing",
                     .label = "Eq 23 (the finite second moment is needed)",
                     .title = "The twicing kernel of the Cauchy density is a positive density with second moment 2",
                     .kind = Kind::identity,
                     .tex = R"(K(u)=\tfrac1{\pi(1+u^2)}\;\Rightarrow\;\hat K(u)=\frac{6}{\pi(1+u^2)(4+u^2)}>0,)"
                            R"(\qquad \mu_2(\hat K)=2)",
                     .assumptions = {"K is the Cauchy kernel, whose second moment is infinite"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/eq-23"},
                    cauchy_twicing(6),
                    {{"constant one percent larger", 0.01, cauchy_twicing(6.06)}}});
  claims.push_back({{.id = "twicing/higher-order-kernel",
                     .label = "Sec 3.3 (higher-order kernel, small bias property)",
                     .title = "Twicing makes a kernel of higher order and removes the leading bias term",
                     .kind = Kind::rate,
                     .tex = R"(\hat m_{\hat K}(x)-m(x)=O(h^4)\quad(h\to0))",
                     .assumptions = {"mu_2(K) is finite", "m has four continuous derivatives",
                                     "the design density is smooth at x and x is not at its edge"},
                     .expected = Verdict::supported,
                     .note = "'Small bias property' is read as the paper explains it: the leading bias term is gone."},
                    bias_order(4),
                    {{"order higher by one percent", 0.01, bias_order(4.04)}}});
  claims.push_back({{.id = "twicing/fourth-moment",
                     .label = "A.2 (the fourth moment of the twicing kernel)",
                     .title = "The fourth moment of the twicing kernel is minus six times the squared variance",
                     .kind = Kind::identity,
                     .tex = R"(\mu_4(\hat K)=-6\,\mu_2(K)^2)",
                     .assumptions = {"K is a symmetric probability density", "mu_4(K) is finite"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/higher-order-kernel",
                     .note = "The order of K^ is therefore exactly four, and mu_4(K) itself does not matter."},
                    fourth_moment(-6),
                    {{"constant one percent larger", 0.01, fourth_moment(-6.06)}}});
  return claims;
}

}  // namespace attest::twicing
