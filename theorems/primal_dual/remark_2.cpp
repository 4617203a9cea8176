// Remark 2: "Since b is set to 0, the centering constraint of alpha_j and alpha~_j in Eqn. 7 can be ignored."
#include <cmath>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

engine::Layout layout() {
  return engine::Layout({{"keys", samples * dimension, -1.5, 1.5},
                         {"targets", samples, -3, 3},
                         {"epsilon", 1, 0.05, 1},
                         {"C", 1, 0.1, 10}});
}

engine::IdentityProblem over_regressions() {
  const engine::Layout box = layout();
  engine::IdentityProblem problem;
  search_over(problem, box);
  // Values within 2 N C residual of the optimum, the residual below 1e-13 of the solver's scale.
  problem.rounding_bound = 1e-12;
  problem.evaluations = 6000;
  return problem;
}

double value_scale(const Regression& data, const svr::Solution& solution) {
  return 2 * samples * data.box * solution.scale;
}

// min_w P(w, b = fixed) against the dual without (or, for the near-miss, with) the constraint sum beta = 0.
engine::Check unconstrained_dual(double fixed_bias, bool constraint_kept) {
  engine::IdentityProblem problem = over_regressions();
  const auto primal_data = [fixed_bias](const Inputs& inputs) {
    Regression data = regression(inputs, samples, dimension, false);
    for (double& y : data.targets) y -= fixed_bias;  // y - f - b = (y - b) - f
    return data;
  };
  problem.sides = [=](const Inputs& inputs) -> engine::IdentitySides {
    const auto primal = solve(primal_data(inputs));
    const Regression data = regression(inputs, samples, dimension, constraint_kept);
    const auto dual = solve(data);
    if (!primal || !dual) return {{std::nan("")}, {0}};
    return {{primal->primal}, {dual->dual}, value_scale(data, *dual)};
  };
  problem.ball_sides = [=](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto primal = solve_exactly(primal_data(inputs));
    const auto dual = solve_exactly(regression(inputs, samples, dimension, constraint_kept));
    if (!primal || !dual) return {{Ball(0)}, {Ball(0)}, false};
    return {{primal->primal()}, {dual->dual()}};
  };
  return guarded_identity(std::move(problem));
}

// Solve Eq 5 with b free, then multiply b by `kept`: is the result a minimiser of Eq 5 with b fixed at that value (b =
// 0), or with b free (kept close to 1)?
engine::Check bias_changed_afterwards(double kept) {
  engine::IdentityProblem problem = over_regressions();
  problem.ball_sides = [kept](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto free_bias = solve_exactly(regression(inputs, samples, dimension, true));
    const auto target = solve_exactly(regression(inputs, samples, dimension, kept != 0));
    if (!free_bias || !target || !free_bias->has_free_sample()) return {{Ball(0)}, {Ball(0)}, false};
    const Ball bias = Ball(kept) * free_bias->optimum.bias;
    return {{svr::primal_objective(free_bias->problem, free_bias->optimum.beta, bias)}, {target->primal()}};
  };
  problem.evaluations = 600;
  return guarded_identity(std::move(problem));
}

// sum_j weight_j v_j = 0 at the optimum with b free; weight_j = h(k_j), or 1 for a near-miss; the first one times
// `first`.
engine::Check centred_values(bool with_h, double first) {
  engine::IdentityProblem problem = over_regressions();
  problem.sides = [=](const Inputs& inputs) -> engine::IdentitySides {
    const Regression data = regression(inputs, samples, dimension, true);
    const auto solution = solve(data);
    if (!solution) return {{std::nan("")}, {0}};
    const auto h = Keys<double>(data.keys, dimension).normalisers();
    double sum = 0;
    for (std::size_t j = 0; j < samples; ++j) {
      sum += (j == 0 ? first : 1.0) * (with_h ? h[j] : 1.0) * (solution->beta[j] / h[j]);
    }
    return {{sum}, {0}, data.box};
  };
  problem.ball_sides = [=](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto exact = solve_exactly(regression(inputs, samples, dimension, true));
    if (!exact) return {{Ball(0)}, {Ball(0)}, false};
    const rigor::BallVector v = exact->values();
    Ball sum;
    for (std::size_t j = 0; j < samples; ++j)
      sum += Ball(j == 0 ? first : 1.0) * (with_h ? exact->h[j] : Ball(1)) * v[j];
    // Written as an equality of two sizes: a ball around 0 has no relative accuracy.
    return {{sum + exact->problem.box}, {exact->problem.box}};
  };
  problem.evaluations = 500;
  return guarded_identity(std::move(problem));
}

}  // namespace

engine::Claims remark_2() {
  engine::Claim ignored;
  ignored.statement = {
      .id = "primal-dual/remark-2",
      .label = "Remark 2",
      .title = "With b fixed at 0 the dual has no centering constraint",
      .kind = engine::Kind::optimality,
      .tex =
          R"(\min_{w} P(w, b = 0) = \max_{|\beta_j| \le C} y^\top\beta - \epsilon\|\beta\|_1 - \tfrac12\beta^\top K\beta \quad\text{without } \textstyle\sum_j\beta_j = 0)",
      .assumptions = {"b = 0 is part of Eq 5 from the start: Eq 7 is the derivative in b and does not arise"},
      .expected = engine::Verdict::supported,
      .note =
          "The reading that Theorem 1 needs. With b free in Eq 5 the constraint stays, whatever is done to b later: "
          "see the next two statements.",
      .depends_on = {"primal-dual/eq-6-9"}};
  ignored.check = unconstrained_dual(0, false);
  ignored.near_misses = {{"b fixed at 0.01", 0.01, unconstrained_dual(0.01, false)},
                         {"the centering constraint kept", 1, unconstrained_dual(0, true)}};

  engine::Claim afterwards;
  afterwards.statement = {.id = "primal-dual/remark-2-afterwards",
                          .label = "Remark 2 (b set to 0 after solving)",
                          .title = "Setting b to 0 in a solution with free b leaves a solution with b = 0",
                          .kind = engine::Kind::optimality,
                          .tex = R"((w^*, b^*) \in \arg\min_{w,b} P \ \Rightarrow\ P(w^*, 0) = \min_w P(w, 0))",
                          .assumptions = {"some training point lies on the edge of the tube, so that b* is unique"},
                          .expected = engine::Verdict::refuted,
                          .note =
                              "The other reading of 'let b = 0' below Eq 14: derive the expansion from Eq 5 as "
                              "printed, with b, then drop b.",
                          .depends_on = {"primal-dual/eq-6-9"}};
  afterwards.check = bias_changed_afterwards(0);
  afterwards.near_misses = {{"b changed by 1 percent only, Eq 5 with b free", 0.01, bias_changed_afterwards(0.99)}};

  engine::Claim centred;
  centred.statement = {
      .id = "primal-dual/remark-2-centred-values",
      .label = "Remark 2 (what b free asks of the values)",
      .title = "With b free the values of a solution satisfy sum_j h(k_j) v_j = 0",
      .kind = engine::Kind::optimality,
      .tex = R"(b \text{ free in Eq 5} \ \Rightarrow\ \sum_{j=1}^N h(k_j)\, v_j(d) = 0)",
      .assumptions = {"v_j from a solution of Eq 5 with b free"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-2-afterwards",
      .note =
          "Eq 7 in terms of the values. Attention with a bias solves an SVR only if its values are centred under the "
          "weights h(k_j), so fixing b = 0 before solving is a condition of Theorem 1 and no simplification."};
  centred.check = centred_values(true, 1);
  centred.near_misses = {{"the first value 1 percent larger", 0.01, centred_values(true, 1.01)},
                         {"sum of v_j without the weights h(k_j)", 1, centred_values(false, 1)}};
  return {ignored, afterwards, centred};
}

}  // namespace attest::primal_dual
