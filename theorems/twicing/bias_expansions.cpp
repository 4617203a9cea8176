// Appendix A.2, "Implications for the bias": the two displayed expansions, and under which designs they hold.
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

/// sum_j |a_j| w_j^k, which bounds the k-th derivative everywhere.
Ball derivative_bound(const regression::TrigonometricSum& g, int k) {
  Ball total = 0;
  for (const auto& term : g.terms()) total += rigor::abs(term.amplitude) * rigor::pow(rigor::abs(term.frequency), k);
  return total;
}

/// At least how far bias / (mu_k m^(k) h^k/k!) stays from 1 for every bandwidth up to 1/n, Gaussian kernel (moments 1,
/// 3, 15). By Taylor's formula (L_h * g)(x) = g + h^k/k! mu_k(L) g^(k) + R with |R| <= h^(k+2)/(k+2)! |mu|_(k+2)(L)
/// sup |g^(k+2)|, of which |mu|_j(2K - K*K) <= 2 mu_j(K) + mu_j(K*K); so the ratio is within an error that falls with h
/// of the design derivative over m^(k).
Ball printed_misses_by(const BiasSetting& setting, int order, double n) {
  const Ball h2 = 1 / rigor::square(Ball(n));
  const auto mf = setting.m * setting.f;
  const Ball value_m = rigor::abs(setting.derivative(0));
  const Ball density = setting.f.derivative(setting.x, 0);
  const bool plain = order == 2;
  // mu_2, mu_4, mu_6 of |L| at most: 1, 3, 15 of K; 2, 12, 120 of K*K.
  const Ball next_moment = plain ? Ball(3) : Ball(2 * 15 + 120);
  const Ball moment = plain ? Ball(1) : Ball(-6);
  const Ball factorial = plain ? Ball(2) : Ball(24);
  const Ball next_factorial = plain ? Ball(24) : Ball(720);
  const Ball taylor = h2 * factorial / next_factorial * next_moment *
                      (derivative_bound(mf, order + 2) + value_m * derivative_bound(setting.f, order + 2)) /
                      rigor::abs(moment);
  const Ball weights = plain ? h2 / 2 * derivative_bound(setting.f, 2)
                             : rigor::square(h2) / 24 * (2 * 3 + 12) * derivative_bound(setting.f, 4);
  const Ball design = setting.design_derivative(order);
  const Ball printed = setting.derivative(order);
  const Ball error = (taylor + rigor::abs(design) * weights) / (rigor::abs(printed) * (density - weights));
  return rigor::abs(design / printed - 1) - error;
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
  if (leading == Leading::printed && factor == 1 && setting.kernel->name() == std::string("gaussian"))
    p.beyond = Beyond{"Taylor's formula: the ratio stays within an error that falls with h of the design term's limit",
                      [=](double n) { return printed_misses_by(setting, order, n); }};
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
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "'A classical result': it is for a uniform design. The Nadaraya-Watson estimator has the further term "
                "m' f'/f, and A.4 draws the keys at random from a density p(k)."},
       all_expansions(2, Leading::printed),
       {{"constant one percent larger, uniform design", 0.01, expansions(2, Leading::printed, 1.01, 2, true)}},
       {{"uniform design", 1, expansions(2, Leading::printed, 1, 2, true)}}});
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
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Right for a uniform design; the paper states neither the design nor the four derivatives.",
        .depends_on = {"twicing/a2-bias-h2", "twicing/eq-23"}},
       all_expansions(4, Leading::printed),
       {{"constant one percent larger, uniform design", 0.01, expansions(4, Leading::printed, 1.01, 4, true)},
        {"m with two derivatives", 1, order_four_for_two_derivatives()}},
       {{"uniform design", 1, expansions(4, Leading::printed, 1, 4, true)}}});
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
  return claims;
}

}  // namespace attest::twicing
