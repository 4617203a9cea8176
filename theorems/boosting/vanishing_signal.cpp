// Proposition 4.1 and the sentences around it: which indices lose the signal?
#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

namespace {

// Signals that all point one way, which a block of self-attention with W_V = alpha I gives on equal tokens:
// |u_{l+1}| = alpha |u_l| + t_l |u_{i_l}|, |u_0| = 1. Claimed: indices i_l = 0 keep |u_l| from decaying, for alpha =
// 1/2 and t_l = (l + 1)^-p.
Check bounded_indices_suffice(double p) {
  SequenceProblem problem;
  problem.claim = Asymptotics::same_order;
  problem.n = geometric_grid(16, 2, 9);
  problem.inputs = Inputs{{"alpha", {0.5}}, {"p", {p}}};
  problem.resolution = 0.001;
  problem.value = [p](double n) {
    Ball norm(1);
    for (double l = 0; l < n; ++l) norm = norm / 2 + pow(Ball(l + 1), -Ball(p));
    return norm;
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

}  // namespace

Claims vanishing_signal() {
  const std::string step =
      "The assumptions of Remark 3.2 at every layer: |u_hat_l| = alpha |u_l|, cos(u_l, u_hat_l) >= "
      "beta >= 0, alpha in [0, 1].";
  const std::string aligned = "Signals that all point one way: self-attention with W_V = alpha I on equal tokens.";
  return {
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
  };
}

}  // namespace attest::boosting
