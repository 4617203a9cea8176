// The proof of Proposition 4.1: sequences of indices without bounded subsequence, and the limit of Eq 4.2.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {

using namespace engine;
using rigor::Ball;

namespace {

constexpr int length = 6;
constexpr std::int64_t sequences = 720;  // i_0 in {0}, i_1 in {0, 1}, ..., i_5 in {0, ..., 5}: 6!

// The number of the sequence in mixed radix gives its entries.
std::vector<double> index_sequence(std::int64_t number) {
  std::vector<double> i;
  for (int l = 0; l < length; ++l) {
    i.push_back(static_cast<double>(number % (l + 1)));
    number /= l + 1;
  }
  return i;
}

enum class Multiplicity { largest, smallest };

// At most c (M + 1 - dropped) of the indices are <= M, when no value is taken more than c times; with
// Multiplicity::smallest, when some value is taken no more than c times.
Check few_small_indices(Multiplicity multiplicity, int dropped) {
  EnumerationProblem problem;
  problem.domain = "all 720 sequences of 6 indices with i_l <= l, M = 0, ..., 5";
  problem.cases = sequences * length;
  problem.relation = Relation::less_equal;
  problem.case_inputs = [](std::int64_t number) {
    return Inputs{{"i", index_sequence(number / length)}, {"M", {static_cast<double>(number % length)}}};
  };
  problem.ball_sides = [=](const Inputs& in) {
    std::array<int, length> times{};
    int below = 0;
    for (const double index : in["i"]) {
      ++times.at(static_cast<std::size_t>(index));
      below += index <= in.scalar("M") ? 1 : 0;
    }
    int c = *std::max_element(times.begin(), times.end());
    if (multiplicity == Multiplicity::smallest) {
      for (const int t : times) c = t > 0 ? std::min(c, t) : c;
    }
    return BallSides{Ball(below), Ball(c) * (Ball(in.scalar("M")) + 1 - dropped)};
  };
  return enumerate(std::move(problem));
}

// s_l / |u_0| = alpha^l + alpha^{i_l} with i_l = floor(l^p), claimed to tend to `limit`.
Part formula_vanishes(double alpha, double p, double limit = 0) {
  SequenceProblem problem;
  problem.claim = Asymptotics::limit;
  problem.n = geometric_grid(16, 4, 8);
  problem.inputs = Inputs{{"alpha", {alpha}}, {"p", {p}}};
  problem.value = [=](double l) {
    return pow(Ball(alpha), Ball(l)) + pow(Ball(alpha), Ball(std::floor(std::pow(l, p))));
  };
  problem.reference = [limit](double) { return Ball(limit); };
  const std::string name = fmt::format("alpha = {}, i_l = {}", alpha, p == 1 ? "l" : "floor(sqrt(l))");
  return {name, Kind::limit, sequence(std::move(problem))};
}

// alpha^l + alpha^i <= constant / (1 + factor i (1 - alpha)) for l >= i.
Check formula_rate(double constant, double factor) {
  InequalityProblem problem;
  problem.lower = {0, 0, 0};
  problem.upper = {1, 50, 50};
  problem.corners = {{0.5, 0, 0}, {0.9999, 1, 0}, {0.999, 1, 0}};
  problem.decode = [](std::span<const double> x) {
    return Inputs{{"alpha", {x[0]}}, {"i", {x[1]}}, {"l", {x[1] + x[2]}}};
  };
  problem.sides = [=](const Inputs& in) {
    const double alpha = in.scalar("alpha");
    const double i = in.scalar("i");
    if (!(alpha > 0 && alpha < 1 && in.scalar("l") >= i)) return Sides{std::nan(""), 0};
    return Sides{std::pow(alpha, in.scalar("l")) + std::pow(alpha, i), constant / (1 + factor * i * (1 - alpha))};
  };
  problem.ball_sides = [=](const Inputs& in) {
    const Ball alpha = in.scalar("alpha");
    const Ball i = in.scalar("i");
    const Ball l = in.scalar("l");
    return BallSides{pow(alpha, l) + pow(alpha, i), Ball(constant) / (1 + Ball(factor) * i * (1 - alpha)),
                     alpha.is_positive() && certainly_less(alpha, Ball(1)) && certainly_less_equal(i, l)};
  };
  problem.evaluations = 4000;
  return inequality(std::move(problem));
}

}  // namespace

Claims index_sequences() {
  return {
      {{.id = "boosting/unbounded-subsequences",
        .label = "Prop 4.1 proof (all subsequences unbounded => i_l -> infinity)",
        .title = "Indices without bounded subsequence tend to infinity",
        .kind = Kind::implication,
        .tex =
            R"(\#\{\ell : i_\ell = m\} \le c\ \forall m \;\Rightarrow\; \#\{\ell : i_\ell \le M\} \le c\,(M+1)\ \forall M)",
        .assumptions =
            {"Indices are natural numbers with i_l <= l.",
             "No bounded subsequence means that every value is taken finitely often; the limit is infinity when "
             "finitely many indices lie at or below every M."},
        .expected = Verdict::certified,
        .note =
            "The step is right; judged in its counting form, which gives it for infinite sequences as well (with the "
            "largest of the multiplicities of 0, ..., M for c)."},
       few_small_indices(Multiplicity::largest, 0),
       {{"some value is taken no more than c times", 1, few_small_indices(Multiplicity::smallest, 0)},
        {"c M in place of c (M + 1)", 1, few_small_indices(Multiplicity::largest, 1)}}},
      {{.id = "boosting/salient-formula-vanishes",
        .label = "Eq 4.2",
        .title = "The formula of Eq 4.1 tends to 0",
        .kind = Kind::limit,
        .tex = R"(i_\ell \to \infty \;\Rightarrow\; \alpha^{i_\ell}(\alpha^{\ell-i_\ell}+1)\|\mathbf u_0\| \to 0)",
        .assumptions = {"alpha < 1, as Remark 3.3 takes it; judged at 0.5, 0.9 and 0.99",
                        "i_l = l or floor(sqrt(l)), up to l = 262144"},
        .expected = Verdict::supported,
        .note = "The proof supposes 'the assumptions described in Remark 3.2', which allow alpha = 1, where the "
                "formula is 2 |u_0| for ever. A statement on the formula alone, which does not give the amount of "
                "signal: boosting/salient-information.",
        .depends_on = {"boosting/salient-information-factorisation", "boosting/unbounded-subsequences",
                       "boosting/signal-vanishes-without-residual"}},
       composite({formula_vanishes(0.5, 1), formula_vanishes(0.9, 0.5), formula_vanishes(0.99, 1)}),
       {{"alpha = 1, which Remark 3.2 allows", 0.01, composite({formula_vanishes(1, 1)})},
        {"alpha = 1 with indices growing like the square root", 0.01, composite({formula_vanishes(1, 0.5)})},
        {"limit 0.02", 0.02,
         composite(
             {formula_vanishes(0.5, 1, 0.02), formula_vanishes(0.9, 0.5, 0.02), formula_vanishes(0.99, 1, 0.02)})}}},
      {{.id = "boosting/salient-formula-rate",
        .label = "Eq 4.2 (how fast)",
        .title = "The formula vanishes at least like 1 / i_l",
        .kind = Kind::limit,
        .tex =
            R"(\alpha^\ell + \alpha^{i_\ell} \le \frac{2}{1 + i_\ell(1-\alpha)} \quad (0 < \alpha < 1,\ \ell \ge i_\ell))",
        .assumptions = {"0 < alpha < 1, l >= i_l >= 0."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/salient-formula-vanishes"},
       formula_rate(2, 1),
       {{"1.999 in place of 2", 0.0005, formula_rate(1.999, 1)},
        {"i_l multiplied by 1.01", 0.01, formula_rate(2, 1.01)}}},
  };
}

}  // namespace attest::boosting
