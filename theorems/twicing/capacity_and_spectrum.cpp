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
  return along(
      Asymptotics::same_order, 1e-3, [=](double n) { return Ball(s + 1) * weighted_capacity(twicing, Ball(n), s); },
      [=](double n) { return capacity(twicing, Ball(n)); });
}

Check mean_value_theorem(double s) {
  return composite({{"rho(c) for p(x) = x", Kind::universal_inequality, mean_value(false, 1)},
                    {"rho(c) for p(x) = 2x - x^2", Kind::universal_inequality, mean_value(true, 1)},
                    {"kappa_n tracks the sum, p(x) = x", Kind::rate, tracks(false, s)},
                    {"kappa_n tracks the sum, p(x) = 2x - x^2", Kind::rate, tracks(true, s)}});
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
        .title = "By the mean value theorem kappa_n tracks the eigenvalue sum",
        .kind = Kind::identity,
        .tex = R"(\frac1N\sum_i p^n(\lambda_i) \approx \int_0^1 p^n\rho = \rho(c)\,\kappa_n(p),\quad c\in[0,1])",
        .assumptions = {"rho continuous, which the theorem needs and the text does not say",
                        "rho(x) = 1 + a (x - 1/2) for the existence of c, rho(x) = 2 (1 - x) for the conclusion"},
        .expected = Verdict::undecided,
        .note = "A point c exists for continuous rho, but it moves with n: for a density that vanishes at 1 rho(c_n) "
                "tends to 0, and the integral decays like n^-2 (n^-1 for twicing) where kappa_n does like n^-1 "
                "(n^-1/2).",
        .depends_on = {"twicing/def-1", "twicing/sec-3.1-spectrum"}},
       mean_value_theorem(1),
       {{"rho proportional to (1 - x)^0.01", 0.01, mean_value_theorem(0.01)}}});
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
        .note = "A misprint for 2A - A^2: kappa_n(2x - 2x^2) = 2^-n kappa_n(2x - x^2) decays exponentially.",
        .depends_on = {"twicing/prop-1"}},
       slower_capacity(true, 1, 1),
       {{"at least a hundredth of it", 0.99, slower_capacity(true, 0.01, 1)},
        {"one percent less than it", 0.01, slower_capacity(true, 0.99, 1)}}});
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
                    {{"one percent more", 0.01, slower_capacity(false, 4.04, 3)}}});
  return claims;
}

}  // namespace attest::twicing
