// "Revisiting Transformers with Insights from Image Filtering and Boosting", Theorem 4.1: exact bounds for every depth
// n on K_n^GRC (Eq A.11) and its ratio to K_n^RC (Eq A.10), in the three regimes t < L, t = L and t > L.
#include <algorithm>
#include <cmath>

#include "theorems/boosting/lipschitz_recurrence.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr LipschitzRecurrence recurrence;
constexpr int deepest = 30;

bool is_depth(double n) { return n >= 1 && n <= deepest && n == std::floor(n); }

std::vector<double> equal_layers(const Inputs& in) {
  return std::vector(static_cast<std::size_t>(in.scalar("n")), in.scalar("L"));
}

/// One side of factor (L_0 + 1)/(L_0 + 1 - t) <= (K_n^GRC / K_n^RC) / prod_l (1 - t/(L_l + 1)) <= factor m/(m - t),
/// with m = min_l L_l. Coordinates: the depth, t, and L_l - t.
enum class Side { lower, upper };

InequalityProblem between(Side side, double factor) {
  constexpr std::size_t most_layers = 16;
  InequalityProblem p;
  p.relation = side == Side::lower ? Relation::less_equal : Relation::greater_equal;
  p.lower.assign(2 + most_layers, 0);
  p.lower[0] = 1;
  p.upper.assign(2 + most_layers, 4);
  p.upper[0] = most_layers + 0.99;
  p.upper[1] = 1;
  p.corners = {std::vector<double>(2 + most_layers, 4)};
  p.corners[0][0] = most_layers;
  p.corners[0][1] = 0.5;
  p.decode = [](std::span<const double> x) {
    std::vector<double> constants;
    for (const double excess : x.subspan(2, static_cast<std::size_t>(x[0]))) constants.push_back(x[1] + excess);
    return Inputs{{"t", {x[1]}}, {"L", constants}};
  };
  p.sides = [=](const Inputs& in) -> Sides {
    const auto constants = in["L"];
    const double t = in.scalar("t");
    const double least = *std::min_element(constants.begin(), constants.end());
    if (!(least > t)) return {std::nan(""), 0};
    double ratio = recurrence.unrolled(constants, t) / recurrence.unrolled(constants, 0);
    for (const double constant : constants) ratio *= (constant + 1) / (constant + (1 - t));
    const double first = constants[0];
    return {side == Side::lower ? (first + 1) / (first + (1 - factor * t)) : least / (least - factor * t), ratio};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const auto constants = in["L"];
    const Ball t(in.scalar("t"));
    Ball least(constants[0]);
    Ball product(1);
    for (const double constant : constants) {
      least = rigor::min(least, constant);
      product *= 1 - t / (Ball(constant) + 1);
    }
    const Ball first(constants[0]);
    const Ball ratio = recurrence.step_by_step(constants, t) / recurrence.step_by_step(constants, 0);
    const Ball shifted = factor * t;
    return {side == Side::lower ? (first + 1) / (first + 1 - shifted) : least / (least - shifted), ratio / product,
            certainly_less(t, least) && t.is_nonnegative() && certainly_less_equal(t, 1)};
  };
  p.evaluations = 6000;
  return p;
}

Check two_sided(double lower, double upper) {
  return composite({{"lower bound", Kind::universal_inequality, inequality(between(Side::lower, lower))},
                    {"upper bound", Kind::universal_inequality, inequality(between(Side::upper, upper))}});
}

/// K_n = 1 + factor n L at t = L, where the growth factor a = L + 1 - t is 1.
Check linear_growth(double factor) {
  IdentityProblem p;
  p.lower = {0, 1};
  p.upper = {1, deepest + 0.99};
  p.decode = [](std::span<const double> x) { return Inputs{{"L", {x[0]}}, {"n", {std::floor(x[1])}}}; };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    return {{recurrence.unrolled(equal_layers(in), in.scalar("L"))}, {1 + factor * in.scalar("n") * in.scalar("L")}};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const Ball L(in.scalar("L"));
    if (!is_depth(in.scalar("n")) || !L.is_positive() || !certainly_less_equal(L, 1)) return {{L}, {L}, false};
    return {{recurrence.step_by_step(equal_layers(in), L)}, {1 + factor * Ball(in.scalar("n")) * L}};
  };
  p.rounding_bound = (5 * deepest + 3) * 0x1p-53;
  return identity(std::move(p));
}

/// K_n < factor t / (t - L) for L < t.
Check bounded_growth(double factor) {
  InequalityProblem p;
  p.relation = Relation::less;
  p.lower = {0, 0, 1};
  p.upper = {1, 1, deepest + 0.99};
  p.decode = [](std::span<const double> x) { return Inputs{{"L", {x[0]}}, {"t", {x[1]}}, {"n", {std::floor(x[2])}}}; };
  p.sides = [=](const Inputs& in) -> Sides {
    const double L = in.scalar("L");
    const double t = in.scalar("t");
    if (!(L > 0 && L < t)) return {std::nan(""), 0};
    return {recurrence.unrolled(equal_layers(in), t), factor * t / (t - L)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball L(in.scalar("L"));
    const Ball t(in.scalar("t"));
    if (!is_depth(in.scalar("n"))) return {L, t, false};
    return {recurrence.step_by_step(equal_layers(in), t), factor * t / (t - L),
            L.is_positive() && certainly_less(L, t) && certainly_less_equal(t, 1)};
  };
  p.evaluations = 6000;
  return inequality(std::move(p));
}

/// (K_n(t) - K_n(t')) / (L (t' - t)) >= factor for t < t' and n >= least_depth.
Check decreases_in_t(double factor, int least_depth) {
  InequalityProblem p;
  p.relation = Relation::greater_equal;
  p.lower = {0, 0, 0, static_cast<double>(least_depth)};
  p.upper = {4, 1, 1, deepest + 0.99};
  p.decode = [](std::span<const double> x) {
    return Inputs{{"L", {x[0]}}, {"t", {x[1]}}, {"t'", {x[2]}}, {"n", {std::floor(x[3])}}};
  };
  p.sides = [=](const Inputs& in) -> Sides {
    const double a = in.scalar("L") + (1 - in.scalar("t"));
    const double b = in.scalar("L") + (1 - in.scalar("t'"));
    if (!(in.scalar("L") > 0 && in.scalar("t") < in.scalar("t'"))) return {std::nan(""), 0};
    // sum_{k < n} (a^k - b^k) / (a - b), each quotient a sum of products: nothing cancels where t' is close to t.
    double sum = 0;
    double quotient = 0;
    double power = 1;
    for (int k = 1; k < static_cast<int>(in.scalar("n")); ++k) {
      quotient = a * quotient + power;
      power *= b;
      sum += quotient;
    }
    return {sum, factor};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball L(in.scalar("L"));
    const Ball t(in.scalar("t"));
    const Ball larger(in.scalar("t'"));
    if (!is_depth(in.scalar("n")) || in.scalar("n") < least_depth) return {L, t, false};
    const Ball fall = recurrence.step_by_step(equal_layers(in), t) - recurrence.step_by_step(equal_layers(in), larger);
    return {fall / (L * (larger - t)), Ball(factor),
            L.is_positive() && t.is_nonnegative() && certainly_less(t, larger) && certainly_less_equal(larger, 1)};
  };
  p.evaluations = 6000;
  return inequality(std::move(p));
}

}  // namespace

Claims grc_regimes() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/thm-4.1-two-sided",
        .label = "Thm 4.1 / Eq 4.6 (L > t, every n)",
        .title = "For layers with constants above t the order of Eq 4.6 holds, with explicit constants",
        .kind = Kind::rate,
        .tex =
            R"(\frac{L_0+1}{L_0+1-t} \le \frac{K_n^{GRC}}{K_n^{RC}} \prod_{\ell<n}\left(1-\frac{t}{L_\ell+1}\right)^{-1} \le \frac{m}{m-t},\quad m = \min_\ell L_\ell)",
        .assumptions = {"layer l has the Lipschitz constant L_l > t; the constants may differ", "t in [0, 1]"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/thm-4.1-ratio",
        .note = "Both bounds are sharp: the lower one is attained at n = 1, the upper one is the limit for equal "
                "layers. With one constant L for all layers and t < L this is Eq 4.6. The lower bound needs no L > t."},
       two_sided(1, 1),
       {{"lower bound with 1.001 t", 1e-3, two_sided(1.001, 1)},
        {"upper bound with 0.999 t", 1e-3, two_sided(1, 0.999)}}});

  claims.push_back({{.id = "boosting/thm-4.1-linear-growth",
                     .label = "Thm 4.1 / Eq 4.6 (L = t)",
                     .title = "At t = L the boosted bound grows linearly with the depth",
                     .kind = Kind::identity,
                     .tex = R"(K_n^{GRC} = 1+nL,\qquad \frac{K_n^{GRC}}{K_n^{RC}} = \frac{1+nL}{(L+1)^n})",
                     .assumptions = {"every layer has the Lipschitz constant L = t in (0, 1]"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/thm-4.1-ratio"},
                    linear_growth(1),
                    {{"slope raised by a millionth", 1e-6, linear_growth(1 + 1e-6)}}});

  claims.push_back(
      {{.id = "boosting/thm-4.1-bounded-growth",
        .label = "Thm 4.1 / Eq 4.6 (L < t)",
        .title = "For L < t the boosted bound stays below t/(t - L) at every depth",
        .kind = Kind::universal_inequality,
        .tex = R"(K_n^{GRC} = \frac{t-L\,(L+1-t)^n}{t-L} < \frac{t}{t-L}\quad\text{for all } n)",
        .assumptions = {"every layer has the Lipschitz constant L > 0", "L < t <= 1"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/thm-4.1-ratio",
        .note = "The limit for n -> infinity, so that the ratio to K_n^RC has the order (L+1)^(-n): smaller than 1, "
                "larger than Eq 4.6 says."},
       bounded_growth(1),
       {{"bound lowered by 0.1 percent", 1e-3, bounded_growth(0.999)}}});

  claims.push_back({{.id = "boosting/thm-4.1-decreases-in-t",
                     .label = "Thm 4.1 (K_GRC decreases in t)",
                     .title = "Every increase of t lowers the boosted bound, from two layers on",
                     .kind = Kind::universal_inequality,
                     .tex = R"(K_n^{GRC}(t)-K_n^{GRC}(t') \ge L\,(t'-t)\quad\text{for } 0\le t<t'\le 1,\ n \ge 2)",
                     .assumptions = {"every layer has the Lipschitz constant L > 0"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .note = "Attained at n = 2. The bound is least at t = 1, where it is 1 + L + ... + L^n; one layer "
                             "alone does not feel t, since its input is Y_0."},
                    decreases_in_t(1, 2),
                    {{"fall raised by 0.1 percent", 1e-3, decreases_in_t(1.001, 2)},
                     {"from one layer on", 1, decreases_in_t(1, 1)}}});
  return claims;
}

}  // namespace attest::boosting
