// Twicing, Section 3.3: whether the eigencapacity is of the order of the integral for every density of eigenvalues.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/capacity_integrals.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;

/// kappa_n of x or of 2x - x^2, and the same under the weight (1 - x)^s.
Ball capacity(bool twicing, const Ball& n) { return twicing ? capacity_of_twicing(n) : capacity_of_identity(n); }
Ball weighted_capacity(bool twicing, const Ball& n, double s) {
  return twicing ? weighted_capacity_of_twicing(n, Ball(s)) : weighted_capacity_of_identity(n, Ball(s));
}

std::vector<double> powers_of_ten() { return geometric_grid(1, 10, 13); }

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

Check tracks_the_sum(double s) {
  return composite({{"p(x) = x", Kind::rate, tracks(false, s)}, {"p(x) = 2x - x^2", Kind::rate, tracks(true, s)}});
}

}  // namespace

Claims capacity_and_spectrum() {
  Claims claims;
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
  return claims;
}

}  // namespace attest::twicing
