// Proposition 4.1 and the sentences around it: do residual connections keep the signal, and which indices lose it?
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "theorems/boosting/denoising_step.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

namespace {

// Signals that all point one way, which a block of self-attention with W_V = alpha I gives on equal tokens:
// |u_{l+1}| = alpha |u_l| + t_l |u_{i_l}|, |u_0| = 1. The norm at layer n.
using Index = std::size_t (*)(std::size_t);
using Weight = std::function<Ball(std::size_t)>;
Ball aligned_signal(double n, double alpha, const Weight& t, Index index) {
  const auto layers = static_cast<std::size_t>(n);
  BallVector norm{Ball(1)};
  for (std::size_t l = 0; l < layers; ++l) norm.push_back(Ball(alpha) * norm[l] + t(l) * norm[index(l)]);
  return norm.back();
}

constexpr Index own_layer = [](std::size_t l) { return l; };
constexpr Index half_layer = [](std::size_t l) { return l / 2; };
constexpr Index first_layer = [](std::size_t) { return std::size_t{0}; };

Check signal_limit(double alpha, const Weight& t, Index index, const Ball& limit, const Inputs& inputs,
                   bool kept = false) {
  SequenceProblem problem;
  problem.claim = Asymptotics::limit;
  problem.n = geometric_grid(8, 2, 6);
  problem.resolution = 1e-6;
  problem.inputs = inputs;
  if (kept)
    problem.beyond = Beyond{"alpha + t >= 1, so by induction no |u_l| is below |u_0|", [](double) { return Ball(1); }};
  problem.value = [=](double n) { return aligned_signal(n, alpha, t, index); };
  problem.reference = [limit](double) { return limit; };
  return sequence(std::move(problem));
}

// Claimed: |u_l| -> 0 when i_l -> infinity, with constant t.
Check vanishes(double alpha, double t) {
  const Weight weight = [t](std::size_t) { return Ball(t); };
  const Inputs inputs{{"alpha", {alpha}}, {"t", {t}}};
  return composite(
      {{"i_l = l", Kind::limit, signal_limit(alpha, weight, own_layer, 0, inputs, alpha + t >= 1)},
       {"i_l = floor(l / 2)", Kind::limit, signal_limit(alpha, weight, half_layer, 0, inputs, alpha + t >= 1)}});
}

// Claimed: indices with a bounded sequence i_l = 0 keep |u_l| from decaying, for t_l = (l + 1)^-p.
Check bounded_indices_suffice(double p) {
  SequenceProblem problem;
  problem.claim = Asymptotics::same_order;
  problem.n = geometric_grid(16, 2, 9);
  problem.inputs = Inputs{{"alpha", {0.5}}, {"p", {p}}};
  problem.resolution = 0.001;
  problem.value = [p](double n) {
    return aligned_signal(
        n, 0.5, [p](std::size_t l) { return pow(Ball(l + 1), -Ball(p)); }, first_layer);
  };
  problem.reference = [](double) { return Ball(1); };
  if (p > 0)
    problem.beyond = Beyond{"|u_n| <= 2^(1+p) n^-p + 3 2^(-n/2) at every n, by splitting the sum in the middle",
                            [p](double) { return Ball(p); }};
  return sequence(std::move(problem));
}

constexpr std::size_t layers = 12;

// k(l) for l = 0, ..., layers: with N_0 = 0 and N_{k+1} the first place after which every layer looks back to N_k or
// later (and one layer further), the number of N_k, k >= 1, at or below l.
std::vector<int> look_back_generations(std::span<const double> index, std::size_t extra) {
  std::vector<int> generation(layers + 1, 0);
  std::size_t start = 0;
  for (int k = 1;; ++k) {
    std::size_t next = start;
    for (std::size_t l = 0; l < layers; ++l) {
      if (index[l] < static_cast<double>(start)) next = std::max(next, l + 1);
    }
    start = next + extra;
    if (start > layers || (extra == 0 && k > static_cast<int>(layers))) return generation;
    for (std::size_t l = start; l <= layers; ++l) generation[l] = k;
  }
}

// With alpha_l + t_l <= relaxed q: |u_l| <= q^k(l) |u_0| at every layer, where |u_{l+1}| <= alpha_l |u_l| + t_l
// |u_{i_l}|.
Check contraction(double relaxed) {
  InequalityProblem problem;
  problem.lower.assign(1 + 2 * layers, 0.0);
  problem.upper.assign(1 + 2 * layers, 1.0);
  std::vector<double> own(1 + 2 * layers, 0.5);
  std::fill(own.begin() + 1 + layers, own.end(), 1.0);
  problem.corners = {own, std::vector<double>(1 + 2 * layers, 0.5)};
  problem.decode = [](std::span<const double> x) {
    std::vector<double> index;
    for (std::size_t l = 0; l < layers; ++l) {
      const double share = x[1 + layers + l] * static_cast<double>(l + 1);
      index.push_back(std::min(std::floor(share), static_cast<double>(l)));
    }
    return Inputs{{"q", {0.25 + 0.75 * x[0]}}, {"alpha_share", {x.begin() + 1, x.begin() + 1 + layers}}, {"i", index}};
  };
  problem.sides = [relaxed](const Inputs& in) {
    const double q = in.scalar("q");
    const auto generation = look_back_generations(in["i"], 1);
    std::vector<double> s{1};
    double worst = 1;
    for (std::size_t l = 0; l < layers; ++l) {
      const double share = in["alpha_share"][l];
      s.push_back(relaxed * q * (share * s[l] + (1 - share) * s[static_cast<std::size_t>(in["i"][l])]));
      worst = std::max(worst, s.back() / std::pow(q, generation[l + 1]));
    }
    return Sides{worst, 1};
  };
  problem.ball_sides = [relaxed](const Inputs& in) {
    const Ball q = in.scalar("q");
    const auto generation = look_back_generations(in["i"], 1);
    BallVector s{Ball(1)};
    Ball worst(1);
    for (std::size_t l = 0; l < layers; ++l) {
      const Ball alpha = Ball(relaxed) * q * Ball(in["alpha_share"][l]);
      const Ball t = Ball(relaxed) * q - alpha;
      s.push_back(alpha * s[l] + t * s[static_cast<std::size_t>(in["i"][l])]);
      worst = max(worst, s.back() / pow(q, generation[l + 1]));
    }
    return BallSides{worst, Ball(1), q.is_positive() && certainly_less_equal(q, Ball(1))};
  };
  problem.evaluations = 6000;
  return inequality(std::move(problem));
}

// u_{l+1} = u_l + u_hat_l in R^2, u_hat_l = alpha R(theta_l) u_l with cos(theta_l) = beta + s_l (1 - beta), either way
// round: |u_L|^2 >= (factor (1 + 2 alpha beta + alpha^2))^L |u_0|^2, L = 4.
Check residual_growth(double factor) {
  constexpr std::size_t depth = 4;
  InequalityProblem problem;
  problem.relation = Relation::greater_equal;
  problem.lower = {0, 0, -1, -1, -1, -1};
  problem.upper = {1, 1, 1, 1, 1, 1};
  problem.corners = {{0.5, 0.5, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  problem.decode = [](std::span<const double> x) {
    return Inputs{{"alpha", {x[0]}}, {"beta", {x[1]}}, {"turn", {x.begin() + 2, x.end()}}};
  };
  problem.sides = [factor](const Inputs& in) {
    const double alpha = in.scalar("alpha");
    const double beta = in.scalar("beta");
    double u0 = 1;
    double u1 = 0;
    for (const double turn : in["turn"]) {
      const double c = beta + std::fabs(turn) * (1 - beta);
      const double s = std::copysign(std::sqrt(std::max(0.0, 1 - c * c)), turn);
      const double old = u0;
      u0 += alpha * (c * u0 - s * u1);
      u1 += alpha * (s * old + c * u1);
    }
    return Sides{u0 * u0 + u1 * u1, std::pow(factor * (1 + 2 * alpha * beta + alpha * alpha), depth)};
  };
  problem.ball_sides = [factor](const Inputs& in) {
    const Ball alpha = in.scalar("alpha");
    const Ball beta = in.scalar("beta");
    BallVector u{Ball(1), Ball(0)};
    for (const double turn : in["turn"]) {
      const Ball c = beta + abs(Ball(turn)) * (1 - beta);
      const Ball sine = sqrt(max(Ball(0), 1 - square(c)));
      const Ball s = turn < 0 ? -sine : sine;
      const BallVector u_hat{alpha * (c * u[0] - s * u[1]), alpha * (s * u[0] + c * u[1])};
      u = rigor::add(u, u_hat);
    }
    return BallSides{rigor::dot(u, u), pow(Ball(factor) * (1 + 2 * alpha * beta + square(alpha)), 4)};
  };
  problem.evaluations = 4000;
  return inequality(std::move(problem));
}

// There are alpha in [0, 1] and c = cos(u, u_hat) in [least_cosine, 1] with |u + u_hat|^2 < |u|^2: the difference is
// alpha (alpha + 2 c).
Check residual_shrinks_signal(double least_cosine) {
  BoxProblem problem;
  problem.domain = fmt::format("alpha in [0, 1], cos(u, u_hat) in [{}, 1]", least_cosine);
  problem.coordinates = {"alpha", "cosine"};
  problem.lower = {0, least_cosine};
  problem.upper = {1, 1};
  problem.margin = [](std::span<const Ball> x) { return x[0] * (x[0] + 2 * x[1]); };
  return exists_on_box(std::move(problem));
}

// |u + u_hat|^2 >= |u|^2 for alpha in [0, 1] and cosines from `least_cosine` to 1.
Check residual_raises_signal(double least_cosine) {
  BoxProblem problem;
  problem.domain = "the size of u_hat relative to u, and the cosine between them";
  problem.coordinates = {"alpha", "cosine"};
  problem.lower = {0, least_cosine};
  problem.upper = {1, 1};
  problem.margin = [](std::span<const Ball> x) { return x[0] * (x[0] + 2 * x[1]); };
  return certify_on_box(std::move(problem));
}

// max(|u_l|, |u_hat_l + t u_k|) >= factor t |u_k| / (1 + alpha), |u_hat_l| = alpha |u_l|, in R^2.
Check constant_index_keeps_signal(double factor, bool without_attention) {
  InequalityProblem problem;
  problem.relation = Relation::greater_equal;
  problem.lower = {-1, -1, -1, -1, -1, -1, 0};
  problem.upper = {1, 1, 1, 1, 1, 1, 1};
  problem.corners = {{-0.5, 0, -0.25, 0, 0.75, 0, 1}, {0.5, 0, 0.25, 0, 0.5, 0, 0.5}};
  problem.decode = [](std::span<const double> x) {
    return Inputs{{"u", {x[0], x[1]}}, {"u_hat", {x[2], x[3]}}, {"u_k", {x[4], x[5]}}, {"t", {x[6]}}};
  };
  problem.sides = [=](const Inputs& in) {
    const double u = norm(in["u"]);
    const double alpha = norm(in["u_hat"]) / u;
    const double t = in.scalar("t");
    if (!(alpha <= 1)) return Sides{std::nan(""), 0};
    const std::vector<double> next{in["u_hat"][0] + t * in["u_k"][0], in["u_hat"][1] + t * in["u_k"][1]};
    const double kept = t * norm(in["u_k"]) / (without_attention ? 1 : 1 + alpha);
    return Sides{std::max(u, norm(next)), factor * kept};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const auto u_hat = rigor::to_balls(in["u_hat"]);
    const auto u_k = rigor::to_balls(in["u_k"]);
    const Ball u = rigor::norm2(rigor::to_balls(in["u"]));
    const Ball alpha = rigor::norm2(u_hat) / u;
    const Ball t = in.scalar("t");
    const Ball kept = t * rigor::norm2(u_k) / (without_attention ? Ball(1) : 1 + alpha);
    return BallSides{max(u, rigor::norm2(rigor::add(u_hat, rigor::scale(t, u_k)))), Ball(factor) * kept,
                     u.is_positive() && certainly_less_equal(alpha, Ball(1))};
  };
  problem.evaluations = 5000;
  return inequality(std::move(problem));
}

}  // namespace

Claims vanishing_signal() {
  const std::string step =
      "The assumptions of Remark 3.2 at every layer: |u_hat_l| = alpha |u_l|, cos(u_l, u_hat_l) >= "
      "beta >= 0, alpha in [0, 1].";
  const std::string aligned = "Signals that all point one way: self-attention with W_V = alpha I on equal tokens.";
  const auto constant = [](double t) { return Weight([t](std::size_t) { return Ball(t); }); };
  return {
      {{.id = "boosting/residual-raises-signal",
        .label = "Sec 4 lead (RC increase the signal at each step)",
        .title = "A residual connection never lowers the amount of signal",
        .kind = Kind::universal_inequality,
        .tex = R"(\|\mathbf u + \hat{\mathbf u}\| \ge \|\mathbf u\|)",
        .assumptions =
            {"the assumption of Proposition 3.1 at the layer: |u_hat| = alpha |u|, cos(u, u_hat) >= beta >= 0"},
        .expected = Verdict::certified,
        .note = "The first half of the sentence; it contradicts the second half, "
                "boosting/residual-cannot-prevent-vanishing."},
       residual_raises_signal(0),
       {{"cosines from -0.001 on", 0.001, residual_raises_signal(-0.001)}}},
      {{.id = "boosting/residual-cannot-prevent-vanishing",
        .label = "Sec 4 lead (RC cannot prevent vanishing)",
        .title = "With residual connections the signal can still vanish",
        .kind = Kind::implication,
        .tex = R"(\exists:\ \|\mathbf u + \hat{\mathbf u}\| < \|\mathbf u\|)",
        .assumptions = {step, "A signal that vanishes over depth must shrink at some layer."},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note = "'They cannot completely prevent it from vanishing as mentioned in Remark 3.3.' Remark 3.3 speaks of "
                "iterations 'without residual connection'. With them, and the cosine assumption of Proposition 3.1, |u "
                "+ u_hat|^2 - |u|^2 = alpha (alpha + 2 cos) |u|^2 >= 0: no layer shrinks the signal. It can shrink "
                "where u_hat is turned against u, which the assumption excludes.",
        .depends_on = {"boosting/signal-vanishes-without-residual"}},
       residual_shrinks_signal(0),
       {{"for cosines from 0.01 on", 0.01, residual_shrinks_signal(0.01)}},
       {{"for cosines from -1 on", 1, residual_shrinks_signal(-1)}}},
      {{.id = "boosting/residual-growth",
        .label = "Sec 4 lead (corrected)",
        .title = "Residual connections make the signal grow geometrically",
        .kind = Kind::universal_inequality,
        .tex = R"(\|\mathbf u_\ell\| \ge (1+2\alpha\beta+\alpha^2)^{\ell/2}\,\|\mathbf u_0\|)",
        .assumptions = {step, "u_{l+1} = u_l + u_hat_l; four layers in R^2, any depth by induction."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/residual-cannot-prevent-vanishing",
        .note = "Attained where every cosine is beta. The difficulty of deep residual stacks is growth, which "
                "normalisation removes, not vanishing."},
       residual_growth(1),
       {{"1 + 2 alpha beta + alpha^2 multiplied by 1.001", 0.001, residual_growth(1.001)}}},
      {{.id = "boosting/unbounded-indices-vanish",
        .label = "Prop 4.1",
        .title = "Indices without bounded subsequence make the signal vanish",
        .kind = Kind::limit,
        .tex = R"(i_\ell \to \infty \;\Rightarrow\; \|\mathbf u_\ell\| \to 0)",
        .assumptions = {step, aligned, "alpha = 1/2 and t_l = 1, as in the conventional residual connection."},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note = "'If there is no bounded subsequence of GRC indices, then salient information captured by tokens "
                "asymptotically vanishes.' The conventional residual connection, i_l = l and t_l = 1, is itself a "
                "counterexample: |u_l| = (1 + alpha)^l |u_0|. The proof uses Eq 4.1. On it rest the advice to bound "
                "the indices, and the reading of Figure 6.",
        .depends_on = {"boosting/salient-information", "boosting/salient-formula-vanishes"}},
       vanishes(0.5, 1),
       {},
       {{"i_l = l and t_l = 1/4, so that alpha + t_l < 1", 0.75,
         signal_limit(0.5, constant(0.25), own_layer, 0, Inputs{{"alpha", {0.5}}, {"t", {0.25}}})}}},
      {{.id = "boosting/unbounded-indices-vanish-when",
        .label = "Prop 4.1 (corrected)",
        .title = "Indices that tend to infinity lose the signal when alpha_l + t_l stays below 1",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\alpha_\ell + t_\ell \le q \;\Rightarrow\; \|\mathbf u_\ell\| \le q^{k(\ell)}\|\mathbf u_0\|,\quad k(\ell) = \max\{k : N_k \le \ell\})",
        .assumptions =
            {"N_0 = 0; N_{k+1} is the least place such that every later layer looks back to N_k or later, plus one.",
             "|u_{l+1}| <= alpha_l |u_l| + t_l |u_{i_l}| (boosting/salient-information-bounds).",
             "Searched over 12 layers with any indices i_l <= l."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/unbounded-indices-vanish",
        .note = "Without bounded subsequence of indices every N_k exists, so k(l) tends to infinity and the signal "
                "vanishes for q < 1. At alpha + t = 1 it need not: i_l = l keeps aligned signals at |u_0| for ever.",
        .depends_on = {"boosting/salient-information-bounds"}},
       contraction(1),
       {{"alpha_l + t_l up to 1.001 q", 0.001, contraction(1.001)}}},
      {{.id = "boosting/indices-must-be-bounded",
        .label = "Sec 4 ('one ought to bound the index sequence')",
        .title = "Bounded indices are necessary to keep the signal",
        .kind = Kind::implication,
        .tex = R"(\{i_\ell\} \text{ without bounded subsequence} \;\Rightarrow\; \|\mathbf u_\ell\| \to 0)",
        .assumptions = {step, aligned, "alpha = t_l = 1/2, i_l = l: |u_l| = |u_0| for every l."},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note =
            "'It is necessary for the sequence to contain at least one bounded subsequence'; 'one ought to bound the "
            "index sequence'. Proposition 4.1 again, as advice, with a weight t_l below 1. Keeping the signal asks for "
            "enough weight on the residual, not for old residuals: boosting/unbounded-indices-vanish-when.",
        .depends_on = {"boosting/unbounded-indices-vanish"}},
       signal_limit(0.5, constant(0.5), own_layer, 0, Inputs{{"alpha", {0.5}}, {"t", {0.5}}}, true),
       {},
       {{"t_l = 1/4", 0.5, signal_limit(0.5, constant(0.25), own_layer, 0, Inputs{{"alpha", {0.5}}, {"t", {0.25}}})}}},
      {{.id = "boosting/bounded-indices-suffice",
        .label = "Sec 4 ('one ought to bound the index sequence', sufficiency)",
        .title = "Stricter reading: bounded indices alone keep the signal from vanishing",
        .kind = Kind::implication,
        .tex =
            R"(i_\ell = 0\ \forall\ell,\ t_\ell \in (0,1] \;\Rightarrow\; \|\mathbf u_\ell\| \asymp \|\mathbf u_0\|)",
        .assumptions = {step, aligned, "alpha = 1/2, t_l = 1/(l + 1): Definition 4.1 lets t_l tend to 0."},
        .expected = Verdict::refuted,
        .printed = false,
        .note = "The text calls bounded indices necessary, not sufficient. The weights must be bounded below too: "
                "boosting/constant-index-keeps-signal.",
        .depends_on = {"boosting/unbounded-indices-vanish"}},
       bounded_indices_suffice(1),
       {},
       {{"t_l = 1", 1, bounded_indices_suffice(0)}}},
      {{.id = "boosting/constant-index-keeps-signal",
        .label = "Sec 4 ('one ought to bound the index sequence', corrected)",
        .title = "A constant index with weight at least t keeps a fixed part of the signal",
        .kind = Kind::universal_inequality,
        .tex =
            R"(i_\ell = k \;\Rightarrow\; \max(\|\mathbf u_\ell\|, \|\mathbf u_{\ell+1}\|) \ge \frac{t\,\|\mathbf u_k\|}{1+\alpha})",
        .assumptions = {"u_{l+1} = u_hat_l + t u_k, |u_hat_l| = alpha |u_l|, alpha in [0, 1], t in [0, 1]."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/indices-must-be-bounded",
        .note = "For any directions of the signals, so no assumption on cosines is used; attained. One layer alone may "
                "lose everything (u_hat = -t u_k), two in a row may not."},
       constant_index_keeps_signal(1, false),
       {{"bound multiplied by 1.001", 0.001, constant_index_keeps_signal(1.001, false)},
        {"without the factor 1 + alpha", 1, constant_index_keeps_signal(1, true)}}},
      {{.id = "boosting/constant-index-limit",
        .label = "Sec 4 ('one ought to bound the index sequence', aligned signals)",
        .title = "With a constant index aligned signals tend to t / (1 - alpha)",
        .kind = Kind::limit,
        .tex = R"(i_\ell = 0,\ t_\ell = t \;\Rightarrow\; \|\mathbf u_\ell\| \to \frac{t}{1-\alpha}\|\mathbf u_0\|)",
        .assumptions = {aligned, "alpha = 3/4, t = 1/8; the recursion is linear, so any alpha < 1 behaves alike."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/indices-must-be-bounded"},
       signal_limit(0.75, constant(0.125), first_layer, Ball(0.5), Inputs{{"alpha", {0.75}}, {"t", {0.125}}}),
       {{"limit larger by 0.1 percent", 0.001,
         signal_limit(0.75, constant(0.125), first_layer, Ball(0.5005), Inputs{{"alpha", {0.75}}, {"t", {0.125}}})},
        {"t_l = 0.12501", 0.00008,
         signal_limit(0.75, constant(0.12501), first_layer, Ball(0.5), Inputs{{"alpha", {0.75}}, {"t", {0.12501}}})}}},
  };
}

}  // namespace attest::boosting
