// The Lagrangian Eq 6 and its stationarity conditions Eqs 7-9.
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 2;
constexpr std::size_t dimension = 2;
constexpr std::size_t features = 6;  // monomials of degree <= 2 in 2 variables

template <class Real>
using Vector = std::vector<Real>;

// The variables of Eq 6 for one output dimension.
template <class Real>
struct Variables {
  Vector<Real> w, xi, xi_tilde;
  Real b;
  Vector<Real> alpha, alpha_tilde, eta, eta_tilde, y;
  Real epsilon, c;
  std::vector<Vector<Real>> psi;  // Phi(k_j) / h(k_j)
};

template <class Real>
Variables<Real> read(const Inputs& inputs, const FiniteFeatures& map) {
  const auto get = [&](const char* name) { return as<Real>(values(inputs, name, samples)); };
  auto psi = map.of_rows(Keys<Real>(values(inputs, "keys", samples * dimension), dimension));
  const Vector<Real> h = get("h");
  for (std::size_t j = 0; j < samples; ++j) {
    for (Real& entry : psi[j]) entry /= h[j];
  }
  return {as<Real>(values(inputs, "w", features)),
          get("xi"),
          get("xi~"),
          Real(inputs.scalar("b")),
          get("alpha"),
          get("alpha~"),
          get("eta"),
          get("eta~"),
          get("targets"),
          Real(inputs.scalar("epsilon")),
          Real(inputs.scalar("C")),
          std::move(psi)};
}

// Eq 6, term by term as printed.
template <class Real>
Real lagrangian(const Variables<Real>& v) {
  Real value = inner_product(v.w, v.w) / Real(2);
  for (std::size_t j = 0; j < samples; ++j) {
    const Real predicted = inner_product(v.w, v.psi[j]);
    value += v.c * (v.xi[j] + v.xi_tilde[j]);
    value -= v.eta[j] * v.xi[j] + v.eta_tilde[j] * v.xi_tilde[j];
    value -= v.alpha[j] * (v.epsilon + v.xi[j] - v.y[j] + predicted + v.b);
    value -= v.alpha_tilde[j] * (v.epsilon + v.xi_tilde[j] + v.y[j] - predicted - v.b);
  }
  return value;
}

// Derivative by a central difference of step 1: exact, because Eq 6 is quadratic in every variable.
template <class Real, class Select>
Real derivative(const Variables<Real>& v, const Select& select) {
  Variables<Real> up = v;
  Variables<Real> down = v;
  select(up) += Real(1);
  select(down) -= Real(1);
  return (lagrangian(up) - lagrangian(down)) / Real(2);
}

// A near-miss multiplies the alpha of Eqs 8 and 9, or leaves h out of Eq 8.
struct Variation {
  double alpha = 1;
  bool without_h = false;
};

// Left: derivatives of Eq 6 in b, w, xi, xi~. Right: Eqs 7, 8 and 9.
template <class Real>
std::pair<Vector<Real>, Vector<Real>> stationarity(const Inputs& inputs, const FiniteFeatures& map,
                                                   const Variation& change) {
  const Variables<Real> v = read<Real>(inputs, map);
  Vector<Real> lhs;
  Vector<Real> rhs;
  lhs.push_back(derivative(v, [](auto& at) -> Real& { return at.b; }));
  rhs.push_back(Real(0));
  for (std::size_t j = 0; j < samples; ++j) rhs[0] += v.alpha_tilde[j] - v.alpha[j];
  for (std::size_t l = 0; l < features; ++l) {
    lhs.push_back(derivative(v, [l](auto& at) -> Real& { return at.w[l]; }));
    Real expansion(0);
    for (std::size_t j = 0; j < samples; ++j) {
      const Real h = change.without_h ? Real(inputs["h"][j]) : Real(1);
      expansion += (Real(change.alpha) * v.alpha[j] - v.alpha_tilde[j]) * v.psi[j][l] * h;
    }
    rhs.push_back(v.w[l] - expansion);
  }
  for (std::size_t j = 0; j < samples; ++j) {
    lhs.push_back(derivative(v, [j](auto& at) -> Real& { return at.xi[j]; }));
    rhs.push_back(v.c - Real(change.alpha) * v.alpha[j] - v.eta[j]);
    lhs.push_back(derivative(v, [j](auto& at) -> Real& { return at.xi_tilde[j]; }));
    rhs.push_back(v.c - v.alpha_tilde[j] - v.eta_tilde[j]);
  }
  return {lhs, rhs};
}

engine::Check derivatives(Variation change) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"h", samples, 0.5, 3},
                               {"targets", samples, -3, 3},
                               {"epsilon", 1, 0.01, 1},
                               {"C", 1, 0.1, 10},
                               {"w", features, -2, 2},
                               {"b", 1, -2, 2},
                               {"xi", samples, 0, 2},
                               {"xi~", samples, 0, 2},
                               {"alpha", samples, 0, 3},
                               {"alpha~", samples, 0, 3},
                               {"eta", samples, 0, 3},
                               {"eta~", samples, 0, 3}});
  const FiniteFeatures map(dimension, 2);
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [map, change](const Inputs& inputs) -> engine::IdentitySides {
    auto [lhs, rhs] = stationarity<double>(inputs, map, change);
    // The terms of Eq 6 are at most 300 on this box: C (xi + xi~) and alpha times the constraint.
    return {std::move(lhs), std::move(rhs), 300};
  };
  problem.ball_sides = [map, change](const Inputs& inputs) -> engine::IdentityBallSides {
    auto [lhs, rhs] = stationarity<Ball>(inputs, map, change);
    return {std::move(lhs), std::move(rhs)};
  };
  // Fewer than 100 operations a Lagrangian.
  problem.rounding_bound = 200 * 0x1p-53;
  problem.evaluations = 3000;
  return guarded_identity(std::move(problem));
}

engine::Layout optimum_layout() {
  return engine::Layout({{"keys", samples * 2 * dimension, -1.5, 1.5},
                         {"targets", samples * 2, -3, 3},
                         {"epsilon", 1, 0.01, 1},
                         {"C", 1, 0.1, 10}});
}

// Value of Eq 5 at w of Eq 8 against the Lagrangian dual: the stationary point is the optimum.
// The latter at multipliers `multiple` times as large.
engine::Check duality(double multiple = 1) {
  const engine::Layout layout = optimum_layout();
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [multiple](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto exact = solve_exactly(regression(inputs, 2 * samples, dimension, true));
    if (!exact) return {{Ball(0)}, {Ball(0)}, false};
    return {{exact->primal()},
            {svr::dual_objective(exact->problem, rigor::scale(Ball(multiple), exact->optimum.beta))}};
  };
  problem.exact_rewriting = "both doubles are rounded from enclosures of different formulas";
  problem.rounding_bound = midpoint_rounding;
  problem.evaluations = 300;
  return guarded_identity(std::move(problem));
}

// factor * P(w*, b*) <= P(w* + sum delta_j Psi_j, b* + delta_b).
engine::Check optimality(double factor) {
  const engine::Layout layout({{"keys", samples * 2 * dimension, -1.5, 1.5},
                               {"targets", samples * 2, -3, 3},
                               {"epsilon", 1, 0.01, 1},
                               {"C", 1, 0.1, 10},
                               {"delta", samples * 2, -0.5, 0.5},
                               {"delta_b", 1, -0.5, 0.5}});
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [factor](const Inputs& inputs) -> engine::BallSides {
    const auto exact = solve_exactly(regression(inputs, 2 * samples, dimension, true));
    if (!exact) return {Ball(0), Ball(0), false};
    rigor::BallVector beta = exact->optimum.beta;
    for (std::size_t j = 0; j < beta.size(); ++j) beta[j] += Ball(inputs["delta"][j]);
    const Ball bias = exact->optimum.bias + Ball(inputs.scalar("delta_b"));
    return {Ball(factor) * exact->primal(), svr::primal_objective(exact->problem, beta, bias)};
  };
  problem.evaluations = 4000;
  return guarded_inequality(std::move(problem));
}

}  // namespace

engine::Claims eq_6_to_9() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/eq-6-9",
      .label = "Eq 6-9",
      .title = "Stationarity of the Lagrangian, and the stationary point is the optimum",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\textstyle\sum_j(\alpha_j-\tilde\alpha_j)=0,\quad w_d=\sum_j(\alpha_j-\tilde\alpha_j)(d)\,\Phi(k_j)/h(k_j),\quad C-\alpha_j-\eta_j=0,\quad C-\tilde\alpha_j-\tilde\eta_j=0)",
      .assumptions = {"h(k_j) > 0 fixed",
                      "the optimum of Eq 5 is proven in ball arithmetic; a degenerate one is skipped"},
      .expected = engine::Verdict::supported,
      .note =
          "Three parts: the derivatives of Eq 6 by exact differences; equal primal and dual values at the point that "
          "satisfies Eqs 7-9; no perturbation of W and b lowers Eq 5 there.",
      .depends_on = {"primal-dual/eq-5-convexity"}};
  claim.check = engine::composite({{"derivatives", engine::Kind::identity, derivatives({})},
                                   {"primal value equals dual value", engine::Kind::optimality, duality()},
                                   {"no perturbation improves", engine::Kind::universal_inequality, optimality(1)}});
  claim.near_misses = {{"alpha raised by 1 percent in Eqs 8 and 9", 0.01, derivatives({.alpha = 1.01}), "derivatives"},
                       {"1/h(k_j) left out of Eq 8", 1, derivatives({.without_h = true}), "derivatives"},
                       {"multipliers larger by 1 percent", 0.01, duality(1.01), "primal value equals dual value"},
                       {"an optimum 1 percent higher", 0.01, optimality(1.01), "no perturbation improves"}};
  return {claim};
}

}  // namespace attest::primal_dual
