// Appendix A.2, "Implications for the bias": the two displayed expansions, under which designs they hold, and at the
// edge.
#include <cmath>
#include <string>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/bias_figures.hpp"
#include "theorems/twicing/bias_setting.hpp"
#include "theorems/twicing/illustrated.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using regression::Form;
using rigor::Ball;

/// What multiplies h^order at leading order.
enum class Leading {
  printed,      ///< mu_k m^(k)/k!
  with_design,  ///< mu_k ((m f)^(k) - m f^(k))/(f k!)
  one_slope,    ///< near-miss: the design derivative of order k averaged with the printed one
};

Ball leading_coefficient(const BiasSetting& setting, int order, Leading leading) {
  const Ball printed = setting.derivative(order);
  const Ball design = setting.design_derivative(order);
  const Ball variance = setting.kernel->moment_ball(2);
  const Ball moment = order == 2 ? variance / 2 : -6 * rigor::square(variance) / 24;
  if (leading == Leading::printed) return moment * printed;
  return moment * (leading == Leading::with_design ? design : (design + printed) / 2);
}

Check expansion(const BiasSetting& setting, int order, Leading leading, double factor, double exponent) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = geometric_grid(8, 2, 7);
  p.value = [=](double n) { return setting.bias(order == 2 ? Form::plain : Form::twiced, n); };
  p.reference = [=](double n) {
    return factor * leading_coefficient(setting, order, leading) * rigor::pow(Ball(n), Ball(-exponent));
  };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

/// Bias ~ coefficient h^order over the settings, all or only those with a uniform design.
Check expansions(int order, Leading leading, double factor, double exponent, bool uniform_only) {
  std::vector<Part> parts;
  for (const BiasSetting& setting : bias_settings()) {
    if (uniform_only && setting.f.terms().size() > 1) continue;
    parts.push_back({setting.name, Kind::rate, expansion(setting, order, leading, factor, exponent)});
  }
  return composite(std::move(parts));
}

Check all_expansions(int order, Leading leading, double factor = 1) {
  return expansions(order, leading, factor, order, false);
}

/// Near-miss of "four derivatives": m(t) = |t|^3 has two. At x = 0 the bias with K^ is h^3 int |u|^3 K^(u) du exactly;
/// for the Gaussian kernel int |u|^3 K^ = sqrt(2/pi) (4 - 4 sqrt(2)).
Check order_four_for_two_derivatives() {
  SequenceProblem p;
  p.claim = Asymptotics::same_order;
  p.n = geometric_grid(8, 2, 7);
  p.value = [](double n) {
    return rigor::sqrt(2 / Ball::pi()) * (4 - 4 * rigor::sqrt(Ball(2))) / rigor::pow(Ball(n), 3);
  };
  p.reference = [](double n) { return 1 / rigor::pow(Ball(n), 4); };
  return sequence(std::move(p));
}

/// m(t) = e^-t under a uniform design on [0, infinity), Gaussian kernel, x = 0. With s^2 = 1 for K and 2 for K*K,
/// 2 int_0^inf phi_s(u) e^(-hu) du = e^(s^2 h^2/2) erfc(s h/sqrt 2), and the weights on the half line sum to 1/2.
Ball edge_bias(Form form, double n) {
  const Ball h = 1 / Ball(n);
  const auto half_line = [&](const Ball& variance) {
    const Ball argument = h * rigor::sqrt(variance / 2);
    return rigor::exp(rigor::square(argument)) * (1 - rigor::erf(argument));
  };
  return (form == Form::plain ? half_line(1) : 2 * half_line(1) - half_line(2)) - 1;
}

Check edge(Form form, double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = geometric_grid(8, 2, 9);
  p.value = [form](double n) { return edge_bias(form, n); };
  p.reference = [form, factor](double n) {
    const Ball constant =
        form == Form::plain ? rigor::sqrt(2 / Ball::pi()) : 2 * (rigor::sqrt(Ball(2)) - 1) / rigor::sqrt(Ball::pi());
    return -factor * constant / n;
  };
  p.resolution = 0.002;
  return sequence(std::move(p));
}

Check edges(double factor) {
  return composite(
      {{"K", Kind::rate, edge(Form::plain, factor)}, {"2K - K*K", Kind::rate, edge(Form::twiced, factor)}});
}

}  // namespace

Claims bias_expansions() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/a2-bias-h2",
        .label = "A.2 (bias h^2/2 mu_2 m'')",
        .title = "The leading bias of the Nadaraya-Watson estimator is h^2/2 mu_2 m''",
        .kind = Kind::rate,
        .tex = R"(\mathrm{Bias}[\hat m_K(x)]\approx\frac{h^2}2\mu_2(K)\,m''(x))",
        .assumptions = {"mu_2(K) is finite", "m and the design density f are smooth near x, f(x) > 0"},
        .expected = Verdict::undecided,
        .note = "Right for a uniform design, and for the local linear estimator under any design. The Nadaraya-Watson "
                "estimator has the further term m' f'/f, and A.4 draws the keys at random from a density p(k)."},
       all_expansions(2, Leading::printed),
       {{"constant one percent larger, uniform design", 0.01, expansions(2, Leading::printed, 1.01, 2, true)}}});
  claims.push_back({{.id = "twicing/a2-bias-h2-design",
                     .label = "A.2 (bias h^2/2 mu_2 m'', with the design term)",
                     .title = "The leading bias with K, for any smooth design",
                     .kind = Kind::rate,
                     .tex = R"(\mathrm{Bias}[\hat m_K(x)]\sim\frac{h^2}2\mu_2(K)\Bigl(m''+2m'\frac{f'}f\Bigr)(x))",
                     .assumptions = {"mu_2(K) is finite", "m and the design density f are smooth near x, f(x) > 0",
                                     "x is not at the edge of the design"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/a2-bias-h2"},
                    all_expansions(2, Leading::with_design),
                    {{"constant one percent larger", 0.01, all_expansions(2, Leading::with_design, 1.01)},
                     {"design term halved", 0.5, all_expansions(2, Leading::one_slope)},
                     {"order 2.02 instead of 2", 0.01, expansions(2, Leading::with_design, 1, 2.02, false)}}});
  claims.push_back(
      {{.id = "twicing/a2-bias-h4",
        .label = "A.2 (bias h^4/24 mu_4(K^) m'''')",
        .title = "With the twicing kernel the bias is h^4/24 mu_4(K^) m''''",
        .kind = Kind::rate,
        .tex = R"(\mathrm{Bias}[\hat m_{\hat K}(x)]\approx\frac{h^4}{24}\mu_4(\hat K)\,m^{(4)}(x))",
        .assumptions = {"mu_2(K) is finite", "m has four continuous derivatives",
                        "the design density f is smooth, f(x) > 0"},
        .expected = Verdict::undecided,
        .note = "Right for a uniform design; the paper states neither the design nor the four derivatives.",
        .depends_on = {"twicing/a2-bias-h2", "twicing/eq-23"}},
       all_expansions(4, Leading::printed),
       {{"constant one percent larger, uniform design", 0.01, expansions(4, Leading::printed, 1.01, 4, true)},
        {"m with two derivatives", 1, order_four_for_two_derivatives()}}});
  claims.push_back({{.id = "twicing/a2-bias-h4-design",
                     .label = "A.2 (bias h^4/24 mu_4(K^) m'''', with the design terms)",
                     .title = "The leading bias with the twicing kernel, for any smooth design",
                     .kind = Kind::rate,
                     .tex = R"(\mathrm{Bias}[\hat m_{\hat K}(x)]\sim-\frac{h^4\mu_2(K)^2}4)"
                            R"(\Bigl(m''''+4m'''\frac{f'}f+6m''\frac{f''}f+4m'\frac{f'''}f\Bigr)(x))",
                     .assumptions = {"mu_2(K) is finite", "m and f have four continuous derivatives near x, f(x) > 0",
                                     "x is not at the edge of the design"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/a2-bias-h4"},
                    illustrated(all_expansions(4, Leading::with_design), expansion_figures),
                    {{"constant one percent larger", 0.01, all_expansions(4, Leading::with_design, 1.01)},
                     {"design terms halved", 0.5, all_expansions(4, Leading::one_slope)},
                     {"order 4.04 instead of 4", 0.01, expansions(4, Leading::with_design, 1, 4.04, false)},
                     {"m with two derivatives", 1, order_four_for_two_derivatives()}}});
  claims.push_back(
      {{.id = "twicing/bias-at-the-edge",
        .label = "A.2 (bias at the edge of the design)",
        .title = "At the edge of the design both kernels have a bias of first order in h",
        .kind = Kind::rate,
        .tex = R"(\mathrm{Bias}_K\sim\sqrt{\tfrac2\pi}\,h\,m'(0),\qquad)"
               R"(\mathrm{Bias}_{\hat K}\sim\tfrac{2(\sqrt2-1)}{\sqrt\pi}\,h\,m'(0))",
        .assumptions = {"K is the Gaussian kernel", "uniform design on [0, infinity), x = 0", "m'(0) is not 0"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/a2-bias-h4",
        .note = "Twicing lowers the bias at the edge by the factor 2 - sqrt 2 only; it does not raise its order."},
       edges(1),
       {{"constants one percent larger", 0.01, edges(1.01)}}});
  return claims;
}

}  // namespace attest::twicing
