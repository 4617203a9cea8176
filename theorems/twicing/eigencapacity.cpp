// Twicing, Proposition 1: the decay of the eigencapacity kappa_n(p) = int_0^1 p(x)^n dx.
#include <cmath>
#include <string>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/capacity_integrals.hpp"
#include "theorems/twicing/illustrated.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;

using Capacity = Ball (*)(const Ball&);

/// 1, 10, ..., 10^12.
std::vector<double> powers_of_ten() { return geometric_grid(1, 10, 13); }

/// sqrt(pi) / (2 sqrt(n)).
Ball claimed_twicing(double n) { return rigor::sqrt(Ball::pi()) / (Ball(2) * rigor::sqrt(Ball(n))); }

/// capacity(n) ~ factor reference(n) n^-exponent for n up to 10^12. A constant off by 1e-6 counts as false.
Check equivalent(Capacity capacity, Ball (*reference)(double), double factor, double exponent) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = powers_of_ten();
  p.resolution = 1e-6;
  p.value = [=](double n) { return capacity(Ball(n)); };
  p.reference = [=](double n) { return Ball(factor) * reference(n) * rigor::pow(Ball(n), -Ball(exponent)); };
  return sequence(std::move(p));
}

/// capacity(n) is of the order n^-exponent. An exponent off by 1e-4 counts as false.
Check of_order(Capacity capacity, double exponent) {
  SequenceProblem p;
  p.claim = Asymptotics::same_order;
  p.n = powers_of_ten();
  p.resolution = 1e-4;
  p.value = [=](double n) { return capacity(Ball(n)); };
  p.reference = [=](double n) { return rigor::pow(Ball(n), -Ball(exponent)); };
  return sequence(std::move(p));
}

Ball one(double) { return 1; }

Check decay_of_identity(double factor, double exponent) {
  return equivalent(capacity_of_identity, one, factor, exponent);
}
/// `excess` is added to the exponent 1/2.
Check decay_of_twicing(double factor, double excess) {
  return equivalent(capacity_of_twicing, claimed_twicing, factor, excess);
}

Check proposition_1(double factor, double order, double plain_factor = 1, double plain_order = 1) {
  return composite({{"kappa_n(p) of order 1/n", Kind::rate, of_order(capacity_of_identity, plain_order)},
                    {"kappa_n(p^) of order 1/sqrt(n)", Kind::rate, of_order(capacity_of_twicing, order)},
                    {"kappa_n(p) ~ 1/n", Kind::rate, decay_of_identity(plain_factor, 1)},
                    {"kappa_n(p^) ~ sqrt(pi)/(2 sqrt(n))", Kind::rate, decay_of_twicing(factor, 0)}});
}

/// Figure 3, whose curves the eigencapacities are the areas under.
Figure draw_powers() {
  Figure figure{.name = "twicing_figure_3",
                .title = "Dynamics of x^n and (2x - x^2)^n",
                .x_label = "x",
                .y_label = "p(x)^n",
                .series = {}};
  constexpr int places = 101;
  for (const int n : {1, 2, 6, 12}) {
    Series plain{.name = "x^n, n = " + std::to_string(n), .x = {}, .y = {}};
    Series twiced{.name = "(2x - x^2)^n, n = " + std::to_string(n), .x = {}, .y = {}};
    for (int i = 0; i < places; ++i) {
      const double x = static_cast<double>(i) / (places - 1);
      for (Series* series : {&plain, &twiced}) series->x.push_back(x);
      plain.y.push_back(std::pow(x, n));
      twiced.y.push_back(std::pow(x * (2 - x), n));
    }
    figure.series.push_back(plain);
    figure.series.push_back(twiced);
  }
  return figure;
}

std::vector<Figure> draw_decay() {
  Figure figure{.name = "twicing_eigencapacity",
                .title = "Eigencapacity of A and of 2A - A^2",
                .x_label = "n",
                .y_label = "kappa_n",
                .x_log = true,
                .y_log = true,
                .series = {}};
  Series plain{.name = "kappa_n(x) = 1/(n+1)", .x = {}, .y = {}};
  Series twiced{.name = "kappa_n(2x - x^2)", .x = {}, .y = {}};
  Series asymptote{.name = "sqrt(pi)/(2 sqrt(n))", .x = {}, .y = {}};
  for (const double n : geometric_grid(1, 2, 21)) {
    for (Series* series : {&plain, &twiced, &asymptote}) series->x.push_back(n);
    plain.y.push_back(capacity_of_identity(Ball(n)).mid());
    twiced.y.push_back(capacity_of_twicing(Ball(n)).mid());
    asymptote.y.push_back(claimed_twicing(n).mid());
  }
  figure.series = {plain, twiced, asymptote};
  return {draw_powers(), figure};
}

}  // namespace

Claims eigencapacity() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/prop-1",
        .label = "Prop 1",
        .title = "Eigencapacity decays like n^{-1/2} for 2A - A^2 and like n^-1 for A",
        .kind = Kind::rate,
        .tex = R"(\kappa_n(p) \sim \frac1n,\qquad \kappa_n(\hat p) \sim \frac{\sqrt\pi}{2\sqrt n})",
        .assumptions = {"kappa_n of Definition 1, an integral over [0, 1] that does not depend on A"},
        .expected = Verdict::supported,
        .note = "Read as a statement on the integrals. The reading as decay of an attention matrix is judged apart.",
        .depends_on = {"twicing/eq-16", "twicing/eq-17"}},
       illustrated(proposition_1(1, 0.5), draw_decay),
       {{"constant one percent smaller", 0.01, proposition_1(0.99, 0.5)},
        {"order n^-0.505", 0.01, proposition_1(1, 0.505)},
        {"constant of A 0.1 percent smaller", 0.001, proposition_1(1, 0.5, 0.999), "kappa_n(p) ~ 1/n"},
        {"order n^-1.001 for A", 0.001, proposition_1(1, 0.5, 1, 1.001), "kappa_n(p) of order 1/n"}}});
  return claims;
}

}  // namespace attest::twicing
