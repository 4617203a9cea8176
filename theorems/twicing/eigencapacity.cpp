// Twicing, Definition 1 and Proposition 1: the eigencapacity kappa_n(p) = int_0^1 p(x)^n dx and its decay.
#include <cmath>

#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/capacity_checks.hpp"
#include "theorems/twicing/capacity_integrals.hpp"
#include "theorems/twicing/illustrated.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

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

/// The closed forms lie between the lower and the upper sum of the integral over `cells` cells, n = 0..32: p^n
/// increases.
Check between_riemann_sums(bool twicing, double factor) {
  constexpr std::int64_t cells = 1024;
  EnumerationProblem p;
  p.domain = twicing ? "p(x) = 2x - x^2, n = 0, ..., 32" : "p(x) = x, n = 0, ..., 32";
  p.cases = 33;
  p.relation = Relation::less_equal;
  p.case_inputs = [](std::int64_t n) { return Inputs{{"n", {static_cast<double>(n)}}}; };
  p.ball_sides = [=](const Inputs& in) {
    const auto n = static_cast<std::int64_t>(in.scalar("n"));
    Ball lower(0);
    for (std::int64_t i = 0; i < cells; ++i) {
      const Ball x = Ball::from_rational(i, cells);
      lower += rigor::pow(twicing ? Ball(2) * x - x * x : x, n);
    }
    // The upper sum has one cell more at 1 and one less at 0.
    const Ball width = (Ball(1) - (n == 0 ? Ball(1) : Ball(0))) / Ball(cells);
    const Ball middle = lower / Ball(cells) + width / Ball(2);
    const Ball closed = twicing ? capacity_of_twicing(Ball(n)) : capacity_of_identity(Ball(n));
    // |closed - middle| <= width / 2, with room for the enclosure where the width is 0.
    return BallSides{rigor::abs(Ball(factor) * closed - middle), width / Ball(2) + Ball(0x1p-60)};
  };
  return enumerate(std::move(p));
}

/// 0 < kappa_(n+1) < kappa_n, n = 0..64.
Check decreasing(Capacity capacity, const char* name, std::int64_t ahead) {
  EnumerationProblem p;
  p.domain = std::string(name) + ", n = 0, ..., 64";
  p.cases = 65;
  p.relation = Relation::less;
  p.case_inputs = [](std::int64_t n) { return Inputs{{"n", {static_cast<double>(n)}}}; };
  p.ball_sides = [=](const Inputs& in) {
    const auto n = static_cast<std::int64_t>(in.scalar("n"));
    return BallSides{capacity(Ball(n + ahead)), capacity(Ball(n))};
  };
  return enumerate(std::move(p));
}

Check definition_1(double factor, std::int64_t ahead) {
  return composite({{"x: the integral", Kind::identity, between_riemann_sums(false, factor)},
                    {"2x - x^2: the integral", Kind::identity, between_riemann_sums(true, factor)},
                    {"x: decreasing", Kind::universal_inequality, decreasing(capacity_of_identity, "p(x) = x", ahead)},
                    {"2x - x^2: decreasing", Kind::universal_inequality,
                     decreasing(capacity_of_twicing, "p(x) = 2x - x^2", ahead)}});
}

/// sqrt(pi) / (2 sqrt(n + offset)) above (or below) kappa_n(2x - x^2) for real n in [0, 10^4].
Check two_sided(double offset, bool above) {
  const double largest = std::log1p(1e4);
  return scalar_inequality(
      {{"log1p_n"}, {0}, {largest}}, above ? Relation::less_equal : Relation::greater_equal,
      [=](const std::vector<double>& x) {
        const double n = std::expm1(x[0]);
        int sign = 0;
        const double log_ratio = lgamma_r(n + 1, &sign) - lgamma_r(n + 1.5, &sign);
        // The squares without their common factor pi / 4.
        return Sides{std::exp(2 * log_ratio), 1 / (n + offset)};
      },
      [=](const BallVector& x) {
        const Ball n = rigor::expm1(x[0]);
        const Ball place = rigor::Ball::pi() / Ball(4);
        // The lower bound's best offset is pi / 4, which is no double: `offset` counts from there.
        const Ball exact = above ? Ball(offset) : Ball(offset) - Ball(0.78539816339744830962) + place;
        return BallSides{capacity_of_twicing(n), rigor::sqrt(Ball::pi()) / (Ball(2) * rigor::sqrt(n + exact))};
      },
      {{0}});
}

Check two_sided_bounds(double lower_offset, double upper_offset) {
  return composite({{"upper bound", Kind::universal_inequality, two_sided(upper_offset, true)},
                    {"lower bound", Kind::universal_inequality, two_sided(lower_offset, false)}});
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
  return {figure};
}

}  // namespace

Claims eigencapacity() {
  const double quarter_pi = 0.78539816339744830962;
  Claims claims;
  claims.push_back(
      {{.id = "twicing/def-1",
        .label = "Definition 1 / Eq 15",
        .title = "The eigencapacity is the area under p^n on [0, 1]",
        .kind = Kind::definition,
        .tex = R"(\kappa_n(p) = \int_0^1 p^n(x)\,dx)",
        .assumptions = {"p continuous on [0, 1]; p(x) = x and p(x) = 2x - x^2 in the checks"},
        .expected = Verdict::certified,
        .note = "Well posed: finite, positive, decreasing in n, and the closed forms used below are this integral. It "
                "depends on p alone, not on the matrix A: what it says of p(A)^n is judged apart."},
       definition_1(1, 1),
       {{"closed forms one percent larger", 0.01, definition_1(1.01, 1)},
        {"kappa_n below itself", 1, definition_1(1, 0)}}});
  claims.push_back({{.id = "twicing/eq-16",
                     .label = "Eq 16",
                     .title = "kappa_n(x) = 1/(n+1) ~ 1/n",
                     .kind = Kind::rate,
                     .tex = R"(\kappa_n(p) = \frac{1}{n+1} \sim \frac1n)",
                     .assumptions = {"p(x) = x"},
                     .expected = Verdict::supported,
                     .depends_on = {"twicing/def-1"}},
                    decay_of_identity(1, 1),
                    {{"constant one percent larger", 0.01, decay_of_identity(1.01, 1)},
                     {"constant off by 1e-5", 1e-5, decay_of_identity(1.00001, 1)},
                     {"exponent -1.01", 0.01, decay_of_identity(1, 1.01)}}});
  claims.push_back({{.id = "twicing/eq-17",
                     .label = "Eq 17",
                     .title = "kappa_n(2x - x^2) ~ sqrt(pi) / (2 sqrt(n))",
                     .kind = Kind::rate,
                     .tex = R"(\kappa_n(\hat p) \sim \frac{\sqrt\pi}{2\sqrt n})",
                     .assumptions = {"p^(x) = 2x - x^2"},
                     .expected = Verdict::supported,
                     .depends_on = {"twicing/eq-22"}},
                    decay_of_twicing(1, 0),
                    {{"constant one percent larger", 0.01, decay_of_twicing(1.01, 0)},
                     {"constant off by 1e-5", 1e-5, decay_of_twicing(0.99999, 0)},
                     {"exponent -0.505", 0.01, decay_of_twicing(1, 0.005)},
                     {"exponent -0.495", 0.01, decay_of_twicing(1, -0.005)}}});
  claims.push_back(
      {{.id = "twicing/prop-1",
        .label = "Prop 1",
        .title = "Eigencapacity decays like n^-1/2 for 2A - A^2 and like n^-1 for A",
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
  claims.push_back(
      {{.id = "twicing/prop-1-two-sided",
        .label = "Prop 1 (for every n)",
        .title = "kappa_n(2x - x^2) between sqrt(pi) / (2 sqrt(n + pi/4)) and sqrt(pi) / (2 sqrt(n + 3/4))",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\frac{\sqrt\pi}{2\sqrt{n+\pi/4}} \le \kappa_n(2x-x^2) \le \frac{\sqrt\pi}{2\sqrt{n+3/4}},\quad n \ge 0)",
        .assumptions = {"real n in [0, 10^4]"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/prop-1",
        .note =
            "Equality at n = 0 below, in the limit above: by the duplication formula this is Watson's inequality for "
            "Gamma(n + 3/2) / Gamma(n + 1)."},
       two_sided_bounds(quarter_pi, 0.75),
       {{"upper offset 0.1 percent larger", 0.001, two_sided_bounds(quarter_pi, 0.75075)},
        {"lower offset 0.1 percent smaller", 0.001, two_sided_bounds(0.999 * quarter_pi, 0.75)}}});
  claims.push_back({{.id = "twicing/prop-1-gain",
                     .label = "Prop 1 (the gain of twicing)",
                     .title = "Twicing keeps sqrt(pi n) / 2 times the eigencapacity",
                     .kind = Kind::rate,
                     .tex = R"(\frac{\kappa_n(2x-x^2)}{\kappa_n(x)} \sim \frac{\sqrt{\pi n}}{2})",
                     .assumptions = {"kappa_n of Definition 1"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/prop-1"},
                    gain_of_twicing(1),
                    {{"constant 0.1 percent larger", 0.001, gain_of_twicing(1.001)}}});
  return claims;
}

}  // namespace attest::twicing
