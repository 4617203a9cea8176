// Twicing, Section 3.3: the mean value theorem for the eigencapacity, and the sentence on 2A - 2A^2.
#include <cmath>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/capacity_checks.hpp"
#include "theorems/twicing/capacity_integrals.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

/// kappa_n of x or of 2x - x^2, and the same under the weight (1 - x)^s.
Ball capacity(bool twicing, const Ball& n) { return twicing ? capacity_of_twicing(n) : capacity_of_identity(n); }
Ball weighted_capacity(bool twicing, const Ball& n, double s) {
  return twicing ? weighted_capacity_of_twicing(n, Ball(s)) : weighted_capacity_of_identity(n, Ball(s));
}

/// int p^n rho for the density rho(x) = 1 + a (x - 1/2) = (1 + a/2) - a (1 - x).
Ball tilted_capacity(bool twicing, const Ball& n, const Ball& a) {
  return (Ball(1) + a / Ball(2)) * capacity(twicing, n) - a * weighted_capacity(twicing, n, 1);
}

/// rho(c) = int p^n rho / kappa_n has a solution: the ratio lies within |a| / (2 narrowing) of 1.
Check mean_value(bool twicing, double narrowing) {
  return scalar_inequality(
      {{"a", "n"}, {-2, 0}, {2, 65}}, Relation::less_equal,
      [=](const std::vector<double>& p) {
        const double a = p[0], n = p[1];
        int sign = 0;
        // int p^n (1 - x) / kappa_n.
        const double share =
            twicing ? std::exp(lgamma_r(n + 1.5, &sign) - lgamma_r(n + 1, &sign)) / std::sqrt(std::acos(-1.0)) / (n + 1)
                    : 1 / (n + 2);
        return Sides{1 + std::abs(a * (0.5 - share)), 1 + std::abs(a) / (2 * narrowing)};
      },
      [=](const BallVector& p) {
        const Ball ratio = tilted_capacity(twicing, p[1], p[0]) / capacity(twicing, p[1]);
        return BallSides{Ball(1) + rigor::abs(ratio - Ball(1)),
                         Ball(1) + rigor::abs(p[0]) / (Ball(2) * Ball(narrowing))};
      });
}

std::vector<double> powers_of_ten() { return geometric_grid(1, 10, 13); }

Check along(Asymptotics claim, double resolution, std::function<Ball(double)> value,
            std::function<Ball(double)> reference) {
  SequenceProblem p;
  p.claim = claim;
  p.n = powers_of_ten();
  p.resolution = resolution;
  p.value = std::move(value);
  p.reference = std::move(reference);
  return sequence(std::move(p));
}

/// int p^n rho of the same order as kappa_n for rho(x) = (s + 1) (1 - x)^s.
Check tracks(bool twicing, double s) {
  SequenceProblem p;
  p.claim = Asymptotics::same_order;
  p.n = powers_of_ten();
  p.resolution = 1e-3;
  p.value = [=](double n) { return Ball(s + 1) * weighted_capacity(twicing, Ball(n), s); };
  p.reference = [=](double n) { return capacity(twicing, Ball(n)); };
  // For s = 1 the ratios are 2 / (n + 2) and Gamma(n + 3/2) / (Gamma(3/2) Gamma(n + 2)), whose slopes in log n are
  // -n / (n + 2) and, as log-convexity of Gamma gives, at most -n / (2 n + 4).
  if (s == 1)
    p.beyond = Beyond{"the slope of the logarithm of the ratio in log n is at most -n / (2n + 4)",
                      [](double n) { return Ball(n) / (2 * Ball(n) + 4); }};
  return sequence(std::move(p));
}

Check mean_value_theorem(double narrowing) {
  return composite({{"rho(c) for p(x) = x", Kind::universal_inequality, mean_value(false, narrowing)},
                    {"rho(c) for p(x) = 2x - x^2", Kind::universal_inequality, mean_value(true, narrowing)}});
}

Check tracks_the_sum(double s) {
  return composite({{"p(x) = x", Kind::rate, tracks(false, s)}, {"p(x) = 2x - x^2", Kind::rate, tracks(true, s)}});
}

/// int p^n rho ~ factor rho(1) kappa_n for rho(x) = 1 + a (x - 1/2).
Check density_at_one(bool twicing, double a, double factor) {
  return along(
      Asymptotics::equivalent, 1e-4, [=](double n) { return tilted_capacity(twicing, Ball(n), Ball(a)); },
      [=](double n) { return Ball(factor) * (Ball(1) + Ball(a) / Ball(2)) * capacity(twicing, Ball(n)); });
}

Check positive_density(double factor) {
  return composite({{"p(x) = x, rho(1) = 3/2", Kind::rate, density_at_one(false, 1, factor)},
                    {"p(x) = x, rho(1) = 1/2", Kind::rate, density_at_one(false, -1, factor)},
                    {"p(x) = 2x - x^2, rho(1) = 3/2", Kind::rate, density_at_one(true, 1, factor)},
                    {"p(x) = 2x - x^2, rho(1) = 1/2", Kind::rate, density_at_one(true, -1, factor)}});
}

/// Under rho(x) = (s + 1) (1 - x)^s the integrals are of order n^-(s+1) and n^-(s+1)/2, times (1 + error).
Check exponents_halve(double error) {
  std::vector<Part> parts;
  for (const double s : {-0.5, 0.0, 1.0, 2.0}) {
    for (const bool twicing : {false, true}) {
      const double exponent = (s + 1) / (twicing ? 2 : 1) * (1 + error);
      parts.push_back(
          {"s = " + std::to_string(s).substr(0, 4) + (twicing ? ", 2x - x^2" : ", x"), Kind::rate,
           along(
               Asymptotics::same_order, 1e-4, [=](double n) { return weighted_capacity(twicing, Ball(n), s); },
               [=](double n) { return rigor::pow(Ball(n), -Ball(exponent)); })});
    }
  }
  return composite(std::move(parts));
}

}  // namespace

Claims capacity_and_spectrum() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/sec-3.3-mean-value",
        .label = "Sec 3.3 (mean value theorem)",
        .title = "By the mean value theorem the integral of p^n rho is rho(c) kappa_n for some c in [0, 1]",
        .kind = Kind::identity,
        .tex = R"(\int_0^1 p^n\rho = \rho(c)\,\kappa_n(p)\text{ for some } c\in[0,1])",
        .assumptions = {"rho continuous, which the theorem needs; rho(x) = 1 + a (x - 1/2), |a| <= 2, in the checks",
                        "n = 0, ..., 64"},
        .expected = Verdict::supported,
        .note = "c moves with n; what follows from it is judged apart.",
        .depends_on = {"twicing/def-1"}},
       mean_value_theorem(1),
       {{"c in the middle 19/20 of [0, 1], p(x) = x", 0.05, mean_value_theorem(1 / 0.95), "rho(c) for p(x) = x"},
        {"c in the middle 9/10 of [0, 1], p(x) = 2x - x^2", 0.1, mean_value_theorem(1 / 0.8),
         "rho(c) for p(x) = 2x - x^2"}}});
  claims.push_back(
      {{.id = "twicing/sec-3.3-mean-value-tracks",
        .label = "Sec 3.3 (mean value theorem, any continuous density)",
        .title = "kappa_n is of the order of the integral for every continuous eigenvalue density",
        .kind = Kind::rate,
        .tex = R"(\int_0^1 p^n\rho \asymp \kappa_n(p))",
        .assumptions = {"rho(x) = 2 (1 - x)"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "twicing/sec-3.3-mean-value",
        .note = "For a density that vanishes at 1 rho(c_n) tends to 0: the integral decays faster than kappa_n.",
        .depends_on = {"twicing/sec-3.3-mean-value"}},
       tracks_the_sum(1),
       {},
       {{"constant density", 1, tracks_the_sum(0)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.3-mean-value-amended",
        .label = "Sec 3.3 (mean value theorem, for a density positive at 1)",
        .title = "kappa_n tracks the integral when the eigenvalue density is continuous and positive at 1",
        .kind = Kind::rate,
        .tex = R"(\int_0^1 p^n\rho \sim \rho(1)\,\kappa_n(p))",
        .assumptions = {"rho continuous with rho(1) > 0; rho(x) = 1 + a (x - 1/2), a = 1 and -1, in the checks"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.3-mean-value"},
       positive_density(1),
       {{"rho(1) one percent larger", 0.01, positive_density(1.01)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.3-exponents-halve",
        .label = "Sec 3.3 (mean value theorem, for a density of order (1 - x)^s)",
        .title = "Twicing halves the decay exponent whatever the order of the density at 1",
        .kind = Kind::rate,
        .tex = R"(\rho(x)\propto(1-x)^s:\ \int x^n\rho \asymp n^{-(s+1)},\quad \int(2x-x^2)^n\rho \asymp n^{-(s+1)/2})",
        .assumptions = {"s = -1/2, 0, 1, 2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.3-mean-value"},
       exponents_halve(0),
       {{"exponents one percent larger", 0.01, exponents_halve(0.01)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.3-slower-2a-2a2",
        .label = "Sec 3.3 ('eigencapacity of 2A - 2A^2')",
        .title = "The eigencapacity of 2A - 2A^2 decays more slowly than that of A",
        .kind = Kind::rate,
        .tex = R"(\kappa_n(2x-2x^2) \ge \kappa_n(x),\quad n \ge 1)",
        .assumptions = {"n = 1, ..., 1000"},
        .expected = Verdict::refuted,
        .finding = Finding::slip,
        .note = "A misprint for 2A - A^2: kappa_n(2x - 2x^2) = 2^-n kappa_n(2x - x^2) decays exponentially.",
        .depends_on = {"twicing/prop-1"}},
       slower_capacity(true, 1, 1),
       {},
       {{"2A - A^2", 1, slower_capacity(false, 1, 1)}}});
  claims.push_back({{.id = "twicing/sec-3.3-slower",
                     .label = "Sec 3.3 ('eigencapacity of 2A - A^2')",
                     .title = "The eigencapacity of 2A - A^2 decays more slowly than that of A",
                     .kind = Kind::rate,
                     .tex = R"(\kappa_n(2x-x^2) \ge \tfrac43\kappa_n(x),\quad n\ge1)",
                     .assumptions = {"n = 1, ..., 1000"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/sec-3.3-slower-2a-2a2",
                     .note = "4/3 is attained at n = 1; the ratio grows like sqrt(pi n) / 2."},
                    slower_capacity(false, 4, 3),
                    {{"0.1 percent more", 0.001, slower_capacity(false, 4.004, 3)}}});
  return claims;
}

}  // namespace attest::twicing
