// Eq 14: with Phi of Eq 12 the expansion Eq 11 is softmax attention, as the limit of its truncations.
#include <cmath>
#include <string>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/primal_dual/keys.hpp"
#include "theorems/primal_dual/monomials.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;
using rigor::BallVector;

constexpr std::size_t samples = 4;
constexpr std::size_t dimension = 2;
constexpr double least_argument = 0x1p-10;

// Short numbers: a fixed example that a reader can redo.
const Inputs example{
    {"keys", {1, 0.5, -1, 1, 0.25, -1.5, -0.5, -0.5}}, {"query", {1.5, -0.75}}, {"v", {1, -2, 0.5, 3}}};

// Eq 11 with Phi of Eq 12 cut at degree T, the coordinates multiplied by factor D^(-1/4).
Ball truncated_attention(unsigned degree, double factor) {
  const Keys<Ball> keys(values(example, "keys", samples * dimension), dimension);
  const auto query = rigor::to_balls(values(example, "query", dimension));
  const auto v = values(example, "v", samples);
  const Monomials map(dimension, degree);
  const Ball scale = Ball(factor) * fourth_root_scale(dimension);
  const BallVector phi_x = map(query, scale);
  Ball numerator;
  Ball denominator;
  for (std::size_t j = 0; j < samples; ++j) {
    const Ball similarity = rigor::dot(phi_x, map(keys.row(j), scale));
    numerator += similarity * Ball(v[j]);
    denominator += similarity;
  }
  return numerator / denominator;
}

Ball softmax_attention() {
  const Keys<Ball> keys(values(example, "keys", samples * dimension), dimension);
  const auto query = rigor::to_balls(values(example, "query", dimension));
  const auto v = rigor::to_balls(values(example, "v", samples));
  return keys.attend(query, v);
}

engine::Check convergence(double factor) {
  engine::SequenceProblem problem;
  problem.claim = engine::Asymptotics::limit;
  problem.n = engine::geometric_grid(2, 2, 5);
  problem.value = [factor](double degree) { return truncated_attention(static_cast<unsigned>(degree), factor); };
  problem.reference = [](double) { return softmax_attention(); };
  problem.resolution = 1e-6;
  problem.inputs = example;
  return engine::sequence(std::move(problem));
}

// |e_T(u) - exp(u)| <= factor |u|^{T+1} / (T+1)! exp(max(u, 0)), u = x'k / sqrt(D), for one T.
engine::Check truncation_error(unsigned degree, double factor) {
  const engine::Layout layout({{"u", 1, -8, 8}});
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [degree, factor](const Inputs& inputs) -> engine::BallSides {
    const Ball u(inputs.scalar("u"));
    Ball sum(1);
    for (unsigned t = degree; t >= 1; --t) sum = Ball(1) + u / Ball(t) * sum;
    Ball bound = rigor::exp(rigor::max(u, Ball(0)));
    for (unsigned t = 1; t <= degree + 1; ++t) bound *= rigor::abs(u) / Ball(t);
    // Nearer to 0 the difference of the two sums is lost in the working precision.
    return {rigor::abs(rigor::exp(u) - sum), Ball(factor) * bound, std::abs(inputs.scalar("u")) >= least_argument};
  };
  problem.corners = {{-least_argument}, {least_argument}};
  problem.evaluations = 400;
  return guarded_inequality(std::move(problem));
}

engine::Check eq_14_check(double factor) {
  return engine::composite({{"limit of the truncations", engine::Kind::limit, convergence(factor)},
                            {"error of degree 2", engine::Kind::universal_inequality, truncation_error(2, 1)},
                            {"error of degree 7", engine::Kind::universal_inequality, truncation_error(7, 1)}});
}

// e_T(u) >= margin for u in [-20, 20].
engine::Check positive_similarity(unsigned degree, double margin) {
  engine::BoxProblem problem;
  problem.domain = "u = x'k / sqrt(D) in [-20, 20]";
  problem.coordinates = {"u"};
  problem.lower = {-20};
  problem.upper = {20};
  problem.margin = [degree, margin](std::span<const Ball> x) {
    Ball sum(1);
    for (unsigned t = degree; t >= 1; --t) sum = Ball(1) + x[0] / Ball(t) * sum;
    return sum - Ball(margin);
  };
  problem.boxes = 20000;
  return engine::certify_on_box(std::move(problem));
}

engine::Check positive_for_even_degrees(double margin, bool odd) {
  std::vector<engine::Part> parts;
  for (const unsigned degree : {2U, 4U, 6U, 8U}) {
    const unsigned used = odd ? degree + 1 : degree;
    parts.push_back(
        {"T = " + std::to_string(used), engine::Kind::universal_inequality, positive_similarity(used, margin)});
  }
  return engine::composite(std::move(parts));
}

}  // namespace

engine::Claims eq_14() {
  engine::Claim limit;
  limit.statement = {
      .id = "primal-dual/eq-14",
      .label = "Eq 14",
      .title = "With the features of Eq 12 the expansion is softmax attention",
      .kind = engine::Kind::limit,
      .tex =
          R"(\frac{\sum_j \Phi_T(x)^\top\Phi_T(k_j)\,v_j}{\sum_{j'} \Phi_T(x)^\top\Phi_T(k_{j'})} \xrightarrow[T\to\infty]{} \sum_j \mathrm{softmax}(x^\top k_j/\sqrt D)\,v_j,\qquad |\Phi_T(x)^\top\Phi_T(k) - e^{u}| \le \frac{|u|^{T+1}}{(T+1)!}e^{\max(u,0)})",
      .assumptions = {"coordinates x_d / D^(1/4), as in Eq 12",
                      "2^-10 <= |u| <= 8 for the error bound, u = x'k / sqrt(D)"},
      .expected = engine::Verdict::supported,
      .note =
          "Eq 12's map has infinitely many coordinates, so Eq 4's W is an element of a Hilbert space and not a matrix; "
          "the limit of truncations is the reading judged.",
      .depends_on = {"primal-dual/eq-11", "primal-dual/eq-12-count", "primal-dual/eq-13"}};
  limit.check = eq_14_check(1);
  limit.near_misses = {
      {"coordinates 1 percent too large", 0.01,
       engine::composite({{"limit of the truncations", engine::Kind::limit, convergence(1.01)}})},
      {"truncation error 1 percent smaller", 0.01,
       engine::composite({{"error of degree 2", engine::Kind::universal_inequality, truncation_error(2, 0.99)}})},
      {"truncation error 1 percent smaller, degree 7", 0.01,
       engine::composite({{"error of degree 7", engine::Kind::universal_inequality, truncation_error(7, 0.99)}})}};

  engine::Claim even;
  even.statement = {
      .id = "primal-dual/eq-14-even-truncations",
      .label = "Eq 14 (truncation at an even degree)",
      .title = "Truncated at an even degree the similarities stay positive",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\Phi_T(x)^\top\Phi_T(k) = \sum_{t\le T} u^t/t! \ \ge\ 0.01 \quad (T = 2, 4, 6, 8))",
      .assumptions = {"u = x'k / sqrt(D) in [-20, 20]"},
      .expected = engine::Verdict::certified,
      .printed = false,
      .amends = "primal-dual/eq-14",
      .note =
          "At an odd degree the similarity changes sign, h(x) can vanish, and the truncated expansion is no average. "
          "A feature map that is cut should be cut at an even degree."};
  even.check = positive_for_even_degrees(0.01, false);
  even.near_misses = {
      {"odd degrees", 1, positive_for_even_degrees(0.01, true)},
      {"lower bound 0.505 (the least value at T = 2 is 0.5)", 0.01, positive_for_even_degrees(0.505, false)}};
  return {limit, even};
}

}  // namespace attest::primal_dual
