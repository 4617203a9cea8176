// Appendix A.2: the second and fourth moments of K^ = 2K - K*K, and the order of its bias.
#include <cmath>
#include <string>

#include "kernels/regression/polynomial_kernel.hpp"
#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/bias_setting.hpp"
#include "theorems/twicing/kernel_boxes.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::Form;
using rigor::Ball;

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
    return {{moment_by_quadrature(k, Form::self_convolved, 2)}, {factor * moment_by_quadrature(k, Form::plain, 2)}};
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
    const double variance = moment_by_quadrature(k, Form::plain, 2);
    return {{moment_by_quadrature(k, Form::twiced, 4)},
            {factor * variance * variance},
            4 * moment_by_quadrature(k, Form::plain, 4)};
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

Claims kernel_moments() {
  Claims claims;
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
                    {{"constant 0.1 percent larger", 0.001, cauchy_twicing(6.006)}}});
  claims.push_back({{.id = "twicing/higher-order-kernel",
                     .label = "Sec 3.3 (higher-order kernel, small bias property)",
                     .title = "Twicing makes a kernel of higher order and removes the leading bias term",
                     .kind = Kind::identity,
                     .tex = R"(\hat m_{\hat K}(x)-m(x)=O(h^4)\quad(h\to0))",
                     .assumptions = {"mu_2(K) is finite", "m has four continuous derivatives",
                                     "the design density is smooth at x and x is not at its edge"},
                     .expected = Verdict::supported,
                     .note = "'Small bias property' is read as the paper explains it: the leading bias term is gone.",
                     .depends_on = {"twicing/eq-23", "twicing/prop-2"}},
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
                    {{"constant 0.1 percent larger", 0.001, fourth_moment(-6.006)}}});
  return claims;
}

}  // namespace attest::twicing
