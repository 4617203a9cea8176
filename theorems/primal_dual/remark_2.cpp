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

// Attention of any values u is the optimum with b free: b = sum_j h(k_j) u_j / sum_j h(k_j), v_j = u_j - b, targets
// f(k_j) + epsilon sign(v_j), C = room * max_j h(k_j) |v_j|. Compared: both optimal values, and at a query the
// attention of u with f. `bias` multiplies b.
engine::Check attention_with_free_bias(double bias) {
  const engine::Layout box({{"keys", samples * dimension, -1.5, 1.5},
                            {"u", samples, -3, 3},
                            {"epsilon", 1, 0.001, 1},
                            {"room", 1, 1, 4},
                            {"query", dimension, -1.5, 1.5}});
  engine::IdentityProblem problem;
  search_over(problem, box);
  problem.ball_sides = [bias](const Inputs& inputs) -> engine::IdentityBallSides {
    const Keys<Ball> keys(values(inputs, "keys", samples * dimension), dimension);
    const rigor::BallVector h = keys.normalisers();
    const rigor::BallVector u = rigor::to_balls(values(inputs, "u", samples));
    Ball total;
    Ball weighted;
    for (std::size_t j = 0; j < samples; ++j) {
      total += h[j];
      weighted += h[j] * u[j];
    }
    const Ball b = Ball(bias) * weighted / total;
    svr::BallProblem fitted{exact_gram(keys), {}, Ball(inputs.scalar("epsilon")), Ball(0), true};
    rigor::BallVector beta;
    bool signs_certain = true;
    for (std::size_t j = 0; j < samples; ++j) {
      beta.push_back(h[j] * (u[j] - b));
      fitted.box = rigor::max(fitted.box, rigor::abs(beta[j]) * Ball(inputs.scalar("room")));
      signs_certain = signs_certain && !beta[j].contains_zero();
    }
    fitted.targets = rigor::multiply(fitted.gram, beta);
    for (std::size_t j = 0; j < samples; ++j)
      fitted.targets[j] += b + fitted.epsilon * Ball(std::copysign(1.0, beta[j].mid()));
    const auto query = rigor::to_balls(values(inputs, "query", dimension));
    return {{svr::primal_objective(fitted, beta, b), keys.attend(query, u)},
            {svr::dual_objective(fitted, beta), rigor::dot(keys.kernel_row(query), beta) + b},
            signs_certain};
  };
  problem.exact_rewriting = "both doubles are rounded from enclosures of different formulas";
  problem.rounding_bound = midpoint_rounding;
  problem.evaluations = 600;
  return guarded_identity(std::move(problem));
}

engine::Claim any_values_with_bias() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/remark-2-any-values-with-bias",
      .label = "Remark 2 (b free is no loss)",
      .title = "Attention of any values solves Eq 5 with b free for some targets",
      .kind = engine::Kind::optimality,
      .tex =
          R"(b = \frac{\sum_j h(k_j)u_j}{\sum_j h(k_j)},\ v_j = u_j - b,\ y_j = f(k_j)+\epsilon\,\mathrm{sign}(v_j),\ C \ge \max_j h(k_j)|v_j|:\quad P(w,b) = D(\beta),\quad \textstyle\sum_j\mathrm{softmax}_j(x^\top k_j/\sqrt D)u_j = f(x))",
      .assumptions = {"no v_j is 0", "judged for three keys in the plane"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-2",
      .note =
          "For every N: sum_j h(k_j) v_j = 0 by the choice of b, so beta is feasible for the dual of Eq 5 as printed, "
          "and equal values of primal and dual prove both optimal. So b = 0 is a convenience and no condition: the "
          "printed problem, with b, has every softmax attention among its solutions."};
  claim.check = attention_with_free_bias(1);
  claim.near_misses = {{"b larger by one percent", 0.01, attention_with_free_bias(1.01)},
                       {"b larger by a thousandth", 1e-3, attention_with_free_bias(1.001)}};
  return claim;
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
                          .printed = false,
                          .amends = "primal-dual/remark-2",
                          .note =
                              "A stricter reading of 'let b = 0' below Eq 14, which the text need not mean: derive "
                              "the expansion from Eq 5 as printed, with b, then drop b.",
                          .depends_on = {"primal-dual/eq-6-9"}};
  afterwards.check = bias_changed_afterwards(0);
  afterwards.near_hits = {{"b left as it is, Eq 5 with b free", 1, bias_changed_afterwards(1)}};

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
          "Eq 7 in terms of the values. It costs attention nothing: the weights sum to one, so a bias can take the "
          "weighted mean of any values (next statement)."};
  centred.check = centred_values(true, 1);
  centred.near_misses = {{"the first value 1 percent larger", 0.01, centred_values(true, 1.01)},
                         {"sum of v_j without the weights h(k_j)", 1, centred_values(false, 1)}};
  return {ignored, afterwards, centred, any_values_with_bias()};
}

}  // namespace attest::primal_dual
