// "Revisiting Transformers with Insights from Image Filtering and Boosting", Theorem 4.1: 'implying that GRC
// effectively reduces the error propagation'. The bounds K_n against the sensitivity that networks really have.
#include <array>
#include <cmath>

#include "theorems/boosting/lipschitz_recurrence.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr int deepest = 20;

bool is_depth(double n) { return n >= 1 && n <= deepest && n == std::floor(n); }

/// c_n with Y_n - Y'_n = c_n (Y_0 - Y'_0) for n layers f_l(y) = mu y, by Eq 4.3.
Ball sensitivity(const Ball& mu, const Ball& t, double n) {
  Ball c(1);
  for (int l = 0; l < static_cast<int>(n); ++l) c = mu * c + t + (1 - t) * c;
  return c;
}

/// The same solved: (t - mu s^n) / (t - mu) with s = 1 + mu - t, a geometric sum where t = mu.
double sensitivity(double mu, double t, double n) {
  const double s = (1 - t) + mu;
  double sum = 0;
  for (int k = 0; k < static_cast<int>(n); ++k) sum = 1 + s * sum;
  return 1 + mu * sum;
}

/// Coordinates mu, t and n, for mu in [least, greatest].
template <class Problem>
Problem over_scalar_layers(double least, double greatest) {
  Problem p;
  p.lower = {least, 0, 1};
  p.upper = {greatest, 1, deepest + 0.99};
  p.decode = [](std::span<const double> x) { return Inputs{{"mu", {x[0]}}, {"t", {x[1]}}, {"n", {std::floor(x[2])}}}; };
  return p;
}

/// |c_n| of the boosted network <= |1 + mu|^n, that of the residual one, for mu in [least, greatest].
Check boosted_is_less_sensitive(double least, double greatest) {
  auto p = over_scalar_layers<InequalityProblem>(least, greatest);
  p.sides = [](const Inputs& in) -> Sides {
    return {std::abs(sensitivity(in.scalar("mu"), in.scalar("t"), in.scalar("n"))),
            std::pow(std::abs(1 + in.scalar("mu")), in.scalar("n"))};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball mu(in.scalar("mu"));
    const Ball t(in.scalar("t"));
    if (!is_depth(in.scalar("n"))) return {mu, t, false};
    return {rigor::abs(sensitivity(mu, t, in.scalar("n"))), rigor::abs(sensitivity(mu, 0, in.scalar("n"))),
            in.scalar("mu") >= least && in.scalar("mu") <= greatest && in.scalar("t") >= 0 && in.scalar("t") <= 1};
  };
  p.corners = {{-1, 0.5, 2}};
  p.evaluations = 6000;
  return inequality(std::move(p));
}

/// 1 + (|c_n| - |1 - L|^n) / (L t) >= 1 + least for the layers f_l(y) = -L y with 0 < L <= largest, and t > 0. The gain
/// is divided by L t, which both its ends contain, so that the search sees it where it is small.
Check boosted_is_more_sensitive(double least, double largest) {
  auto p = over_scalar_layers<InequalityProblem>(-largest, 0);
  p.relation = Relation::greater_equal;
  p.sides = [=](const Inputs& in) -> Sides {
    const double L = -in.scalar("mu");
    const double t = in.scalar("t");
    if (!(L > 0 && t > 0)) return {std::nan(""), 0};
    // c_n = r^n + L sum_{k < n} (r^k - s^k) with r = 1 - L and s = r - t.
    const double r = 1 - L;
    double power = 1;
    double quotient = 0;  // (r^k - s^k) / t
    double sum = 0;
    for (int k = 1; k < static_cast<int>(in.scalar("n")); ++k) {
      quotient = (r - t) * quotient + power;
      power *= r;
      sum += quotient;
    }
    power *= r;
    const double boosted = power + L * t * sum;
    const double gain = power >= 0 && boosted >= 0 ? sum : (std::abs(boosted) - std::abs(power)) / (L * t);
    return {1 + gain, 1 + least};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball mu(in.scalar("mu"));
    const Ball t(in.scalar("t"));
    if (!is_depth(in.scalar("n"))) return {mu, t, false};
    const Ball gain = rigor::abs(sensitivity(mu, t, in.scalar("n"))) - rigor::abs(sensitivity(mu, 0, in.scalar("n")));
    return {1 - gain / (mu * t), 1 + Ball(least),
            in.scalar("mu") >= -largest && in.scalar("mu") < 0 && in.scalar("t") > 0 && in.scalar("t") <= 1};
  };
  // For L = 1 + d and t close to d^3 three layers cancel.
  p.corners = {{-largest, std::pow(largest - 1, 3), 3}};
  p.evaluations = 6000;
  return inequality(std::move(p));
}

/// c_n = (t + factor L (1 - t - L)^n) / (t + L) for the layers f_l(y) = -L y.
Check sensitivity_of_opposing_layers(double factor) {
  auto p = over_scalar_layers<IdentityProblem>(-3, 0);
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const double L = -in.scalar("mu");
    const double t = in.scalar("t");
    if (!(L > 0)) return {{std::nan("")}, {0}};
    const double swing = factor * L * std::pow((1 - t) - L, in.scalar("n"));
    return {{sensitivity(-L, t, in.scalar("n"))}, {(t + swing) / (t + L)}, 1 + std::pow(1 + L, in.scalar("n"))};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball L = -Ball(in.scalar("mu"));
    const Ball t(in.scalar("t"));
    if (!is_depth(in.scalar("n")) || !L.is_positive()) return {{L}, {t}, false};
    const Ball swing = factor * L * rigor::pow(1 - t - L, static_cast<int>(in.scalar("n")));
    return {{sensitivity(-L, t, in.scalar("n"))},
            {(t + swing) / (t + L)},
            in.scalar("mu") >= -3 && in.scalar("t") >= 0 && in.scalar("t") <= 1};
  };
  // Horner's rule on powers of s, |s| <= 1 + L: five roundings a layer on the left, two a layer and six on the right.
  p.rounding_bound = 8 * (deepest + 1) * 0x1p-53;
  p.corners = {{-1, 0.5, 2}};
  return identity(std::move(p));
}

/// K_n^GRC + factor t L_0 <= K_n^RC for n >= 2 layers of any constants.
Check worst_case_is_reduced(double factor) {
  constexpr std::size_t most_layers = 12;
  InequalityProblem p;
  p.lower.assign(2 + most_layers, 0);  // depth, t, L_0, ..., L_11
  p.lower[0] = 2;
  p.upper.assign(2 + most_layers, 4);
  p.upper[0] = most_layers + 0.99;
  p.upper[1] = 1;
  p.decode = [](std::span<const double> x) {
    const auto n = static_cast<std::size_t>(x[0]);
    return Inputs{{"t", {x[1]}}, {"L", {&x[2], &x[2] + n}}};
  };
  p.sides = [=](const Inputs& in) -> Sides {
    const double t = in.scalar("t");
    return {LipschitzRecurrence{}.unrolled(in["L"], t) + factor * t * in["L"][0],
            LipschitzRecurrence{}.unrolled(in["L"], 0)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball t(in.scalar("t"));
    bool assumptions_hold = in["L"].size() >= 2 && t.is_nonnegative() && certainly_less_equal(t, 1);
    for (const double constant : in["L"]) assumptions_hold = assumptions_hold && constant >= 0;
    if (!assumptions_hold) return {t, t, false};
    return {LipschitzRecurrence{}.step_by_step(in["L"], t) + factor * t * in["L"][0],
            LipschitzRecurrence{}.step_by_step(in["L"], 0)};
  };
  p.evaluations = 6000;
  return inequality(std::move(p));
}

}  // namespace

Claims grc_sensitivity() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/thm-4.1-reduces-error",
        .label = "Thm 4.1 ('effectively reduces the error propagation')",
        .title = "A boosted network is no more sensitive than the residual network of the same layers",
        .kind = Kind::implication,
        .tex =
            R"(\sup\frac{\|Y_n^{GRC}-Y_n'^{GRC}\|}{\|Y_0-Y_0'\|} \le \sup\frac{\|Y_n^{RC}-Y_n'^{RC}\|}{\|Y_0-Y_0'\|})",
        .assumptions = {"every layer has the Lipschitz constant L > 0; here f_l(y) = mu y, |mu| = L <= 3",
                        "t in [0, 1]"},
        .expected = Verdict::refuted,
        .finding = Finding::unsupported,
        .note = "'Implying that GRC effectively reduces the error propagation': K_n are upper bounds, and that one is "
                "smaller says nothing of the networks. Layers that oppose their input, f_l(y) = -L y, contract the "
                "residual network, and the share t Y_0 undoes it. For the most sensitive layers of given constants it "
                "is true: boosting/thm-4.1-worst-case.",
        .depends_on = {"boosting/thm-4.1-ratio"}},
       boosted_is_less_sensitive(-3, 3),
       {{"layers with mu in [-0.01, 3]", 0.01, boosted_is_less_sensitive(-0.01, 3)}},
       {{"layers with mu in [0, 3]", 1, boosted_is_less_sensitive(0, 3)}}});

  claims.push_back({{.id = "boosting/thm-4.1-worst-case",
                     .label = "Thm 4.1 ('reduces the error propagation', in the worst case)",
                     .title = "Boosting reduces the sensitivity of the most sensitive layers",
                     .kind = Kind::universal_inequality,
                     .tex = R"(K_n^{GRC} + t L_0 \le K_n^{RC}\quad\text{for } n \ge 2)",
                     .assumptions = {"layer l has the Lipschitz constant L_l; the constants may differ", "t in [0, 1]"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/thm-4.1-reduces-error",
                     .note = "K_n are the greatest sensitivities that layers of these constants can have (Eqs A.10 and "
                             "A.11, attained by f_l = L_l I), for L <= t as well. Equality at n = 2.",
                     .depends_on = {"boosting/eq-a.10-rc-recurrence", "boosting/eq-a.11-grc-recurrence"}},
                    worst_case_is_reduced(1),
                    {{"gap raised by 0.1 percent", 1e-3, worst_case_is_reduced(1.001)}}});

  claims.push_back(
      {{.id = "boosting/thm-4.1-opposing-layers",
        .label = "Thm 4.1 (layers f = -L I)",
        .title = "The sensitivity of boosted layers that oppose their input",
        .kind = Kind::identity,
        .tex =
            R"(f_\ell = -L\,I:\qquad Y_n^{GRC}-Y_n'^{GRC} = \frac{t+L\,(1-t-L)^n}{t+L}\,(Y_0-Y'_0),\qquad Y_n^{RC}-Y_n'^{RC} = (1-L)^n\,(Y_0-Y'_0))",
        .assumptions = {"L in (0, 3]", "t in [0, 1]"},
        .expected = Verdict::supported,
        .printed = false,
        .note = "For 0 < L < 2 the residual network forgets its input. The boosted one keeps the share t/(t + L) of it "
                "when L + t < 2, and blows up like (L + t - 1)^n when 2 - t < L < 2: 3/2 against 1/2 a layer at "
                "L = 3/2, t = 1."},
       sensitivity_of_opposing_layers(1),
       {{"L raised by a millionth in the numerator", 1e-6, sensitivity_of_opposing_layers(1 + 1e-6)}}});

  claims.push_back(
      {{.id = "boosting/thm-4.1-opposing-layers-order",
        .label = "Thm 4.1 (layers f = -L I, L <= 1)",
        .title = "Boosting never reduces the sensitivity of layers -L I with L at most 1",
        .kind = Kind::universal_inequality,
        .tex = R"(\frac{t+L\,(1-t-L)^n}{t+L} \ge (1-L)^n)",
        .assumptions = {"0 < L <= 1", "t in [0, 1]"},
        .expected = Verdict::supported,
        .printed = false,
        .note = "At every depth, although K_n^GRC < K_n^RC. The limit L = 1 is sharp: above it some t makes three "
                "layers cancel."},
       boosted_is_more_sensitive(0, 1),
       {{"more by at least 0.001 L t", 1e-3, boosted_is_more_sensitive(1e-3, 1)},
        {"L up to 1.01", 0.01, boosted_is_more_sensitive(0, 1.01)}}});
  return claims;
}

}  // namespace attest::boosting
