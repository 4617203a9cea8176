// Appendix F, Eqs 32 to 34: the regression with a learnt projection W^proj before the features.
#include <cmath>

#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

double larger(double a, double b) { return std::max(a, b); }
Ball larger(const Ball& a, const Ball& b) { return rigor::max(a, b); }

// Eq 33 with its slacks minimised out, for D_x = D = D_v = 1, one training pair (x, y) and b = 0, on the features 1 and
// p x of Phi(p x) with weights w; the other weights are 0. h(x) = Phi(p x)'Phi(p x) = exp((p x)^2) exactly.
template <class Real>
Real objective(const Inputs& inputs, const std::vector<Real>& w, const Real& p) {
  using std::abs;
  using std::exp;
  const Real x(inputs.scalar("x"));
  const Real at = p * x;
  const Real predicted = (w[0] + w[1] * at) / exp(Real(at * at)) + x;
  const Real excess =
      larger(Real(abs(Real(Real(inputs.scalar("y")) - predicted))) - Real(inputs.scalar("epsilon")), Real(0));
  return (w[0] * w[0] + w[1] * w[1] + p * p) / Real(2) + Real(inputs.scalar("C")) * excess;
}

struct Convexity {
  bool joint = true;    // in (w, p), or in w with p kept
  double modulus = 0;   // strong convexity claimed in w
  double second_p = 1;  // near-misses: the second point's p is this times the first's
};

// P(midpoint) + modulus / 8 |w - w'|^2 <= (P + P') / 2.
engine::Check convex(Convexity claim) {
  std::vector<engine::Block> blocks{{"w", 2, -2, 2}, {"w'", 2, -2, 2},  {"p", 1, -2, 2},       {"x", 1, -2, 2},
                                    {"y", 1, -3, 3}, {"C", 1, 0.1, 20}, {"epsilon", 1, 0, 0.5}};
  if (claim.joint) blocks.push_back({"p'", 1, -2, 2});
  const engine::Layout box(blocks);
  const auto sides = [claim](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto first = as<Real>(values(inputs, "w", 2));
    const auto second = as<Real>(values(inputs, "w'", 2));
    const Real p(inputs.scalar("p"));
    const Real other = claim.joint ? Real(inputs.scalar("p'")) : Real(Real(claim.second_p) * p);
    std::vector<Real> middle;
    Real distance(0);
    for (std::size_t l = 0; l < 2; ++l) {
      middle.push_back((first[l] + second[l]) / Real(2));
      distance += (first[l] - second[l]) * (first[l] - second[l]);
    }
    return engine::Pair<Real>{
        {objective(inputs, middle, Real((p + other) / Real(2))) + Real(claim.modulus) / Real(8) * distance},
        {(objective(inputs, first, p) + objective(inputs, second, other)) / Real(2)}};
  };
  // w p is the same at both ends and 0 between them: with the target met at the ends, the middle pays C.
  Inputs corner{{"w", {0, 1}}, {"w'", {0, -1}}, {"p", {1}}, {"x", {1}}, {"y", {1.375}}, {"C", {20}}, {"epsilon", {0}}};
  if (claim.joint) corner.add("p'", {-1});
  return engine::generic_inequality(box, engine::Relation::less_equal, sides,
                                    {.evaluations = 2500, .corners = {box.point(corner)}});
}

// factor * sum over the first `rows` rows of W^proj in R^{2 x 2} of |w_d|^2 against |W^proj|_F^2, column by column.
engine::Check penalty(std::size_t rows, double factor) {
  return identity_of(
      engine::Layout({{"W^proj", 4, -2, 2}}), 16, 8 * 0x1p-53, 200, [rows, factor](const Inputs& inputs, auto zero) {
        using Real = decltype(zero);
        const auto w = as<Real>(values(inputs, "W^proj", 4));
        Real lhs(0);
        for (std::size_t i = 0; i < 2 * rows; ++i) lhs += w[i] * w[i];
        return engine::Pair<Real>({Real(factor) * lhs}, {w[0] * w[0] + w[2] * w[2] + (w[1] * w[1] + w[3] * w[3])});
      });
}

}  // namespace

engine::Claims eq_33() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/eq-32-33-convex",
      .label = "Eq 32-33 (\"convex optimization problem\")",
      .title = "The regression in (W, W^proj) is a convex problem",
      .kind = engine::Kind::universal_inequality,
      .tex =
          R"(P\Big(\tfrac{W+W'}2,\tfrac{p+p'}2\Big) \le \tfrac12\big(P(W,p)+P(W',p')\big),\quad P = \tfrac12|W|^2+\tfrac12|p|^2+C\sum_j\max\Big(\Big|y_j-W\tfrac{\Phi(p\,x_j)}{h(x_j)}-x_j\Big|-\epsilon,0\Big))",
      .assumptions = {"Phi of Eq 28 and h(x) = sum_j Phi(W^proj x)'Phi(W^proj x_j), as Appendix F chooses them",
                      "D_x = D = D_v = 1, one training pair, b = 0; weights on the features 1 and p x, the others 0"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::error,
      .note =
          "\"With an L2 regularization on W and W^proj by solving the following convex optimization problem\" (above "
          "Eq 33). The model is a product of W and a function of W^proj: (w, p) and (-w, -p) predict alike, their "
          "midpoint "
          "predicts x. Without convexity a stationary point need not be a minimum, and duality may leave a gap; "
          "Eq 35 uses only that the problem is convex in W. The text itself leaves W^proj to gradient descent."};
  printed.check = convex({});
  printed.near_hits = {{"in w alone, with modulus 1", 1, convex({.joint = false, .modulus = 1})}};

  engine::Claim amended;
  amended.statement = {.id = "primal-dual/eq-32-33-convex-in-w",
                       .label = "Eq 32-33 (convex in W)",
                       .title = "For each W^proj the problem is convex in W, strongly with modulus 1",
                       .kind = engine::Kind::universal_inequality,
                       .tex = R"(P\Big(\tfrac{W+W'}2,p\Big) + \tfrac18|W-W'|^2 \le \tfrac12\big(P(W,p)+P(W',p)\big))",
                       .assumptions = {"W^proj the same at both points", "setting as in the printed statement"},
                       .expected = engine::Verdict::supported,
                       .printed = false,
                       .amends = "primal-dual/eq-32-33-convex",
                       .depends_on = {"primal-dual/eq-5-convexity"}};
  amended.check = convex({.joint = false, .modulus = 1});
  amended.near_misses = {
      {"modulus 1.01", 0.01, convex({.joint = false, .modulus = 1.01})},
      {"p changed by one percent on the way", 0.01, convex({.joint = false, .modulus = 1, .second_p = 1.01})}};

  engine::Claim indices;
  indices.statement = {
      .id = "primal-dual/eq-33-34-indices",
      .label = "Eq 33-34 (indices)",
      .title = "The printed penalty, summed to D_v, is that of all of W^proj",
      .kind = engine::Kind::definition,
      .tex =
          R"(\sum_{d=1}^{D_v}\|w_d^{\mathrm{proj}}\|^2 = \|W^{\mathrm{proj}}\|_F^2,\qquad W^{\mathrm{proj}} = [w_1^{\mathrm{proj}},\dots,w_D^{\mathrm{proj}}]^\top)",
      .assumptions = {"D = 2, D_v = 1"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::slip,
      .note =
          "W^proj has D rows: for D_v < D the others go unpenalised, for D_v > D the sum names rows that are not "
          "there. The constraints of Eq 33 are scalar, one for each d, and contain the vector x_j where x_j(d) is "
          "meant, which also needs D_v = D_x. Neither slip touches Eqs 35 and 36."};
  indices.check = penalty(1, 1);
  indices.near_hits = {{"all D rows", 1, penalty(2, 1)}};

  engine::Claim mended;
  mended.statement = {.id = "primal-dual/eq-33-34-all-rows",
                      .label = "Eq 33-34 (summed to D)",
                      .title = "Summed to D the penalty is that of all of W^proj",
                      .kind = engine::Kind::definition,
                      .tex = R"(\sum_{d=1}^{D}\|w_d^{\mathrm{proj}}\|^2 = \|W^{\mathrm{proj}}\|_F^2)",
                      .assumptions = {"D = 2"},
                      .expected = engine::Verdict::supported,
                      .printed = false,
                      .amends = "primal-dual/eq-33-34-indices"};
  mended.check = penalty(2, 1);
  mended.near_misses = {{"one percent more", 0.01, penalty(2, 1.01)}, {"one row left out", 1, penalty(1, 1)}};
  return {printed, amended, indices, mended};
}

}  // namespace attest::primal_dual
