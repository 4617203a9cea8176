#include "theorems/primal_dual/prescribed_values.hpp"

#include <cmath>

#include "kernels/svr/optimum.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;
using rigor::BallVector;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

std::vector<engine::Block> blocks() {
  return {{"keys", samples * dimension, -1.5, 1.5},
          {"v", samples, -3, 3},
          {"epsilon", 1, 0.05, 1},
          {"room", 1, 1, 4}};  // C = room * max_j h(k_j) |v_j|
}

// Targets and box constructed from the values; beta_j = h(k_j) v_j.
struct Constructed {
  svr::BallProblem problem;
  BallVector beta;
};

Constructed construct(const Inputs& inputs, const TargetRule& rule) {
  const Keys<Ball> keys(values(inputs, "keys", samples * dimension), dimension);
  const auto v = values(inputs, "v", samples);
  Constructed out{{exact_gram(keys), {}, Ball(inputs.scalar("epsilon")), Ball(0), false}, keys.normalisers()};
  for (std::size_t j = 0; j < samples; ++j) {
    out.beta[j] *= Ball(v[j]);
    out.problem.box = rigor::max(out.problem.box, rigor::abs(out.beta[j]));
  }
  out.problem.box *= Ball(inputs.scalar("room"));
  out.problem.targets = rigor::multiply(out.problem.gram, out.beta);
  for (std::size_t j = 0; j < samples; ++j) {
    if (rule.values_as_targets) out.problem.targets[j] = Ball(v[j]);
    if (!rule.values_as_targets && v[j] != 0)
      out.problem.targets[j] += Ball(rule.tube) * out.problem.epsilon * Ball(std::copysign(1.0, v[j]));
  }
  return out;
}

engine::Check duality(const TargetRule& rule) {
  const engine::Layout layout(blocks());
  engine::IdentityProblem problem;
  search_over(problem, layout);
  problem.sides = [rule](const Inputs& inputs) -> engine::IdentitySides {
    const Keys<double> keys(values(inputs, "keys", samples * dimension), dimension);
    const auto v = values(inputs, "v", samples);
    const double epsilon = inputs.scalar("epsilon");
    const auto gram = keys.gram();
    std::vector<double> beta = keys.normalisers();
    double box = 0;
    for (std::size_t j = 0; j < samples; ++j) {
      beta[j] *= v[j];
      box = std::max(box, std::abs(beta[j]) * inputs.scalar("room"));
    }
    double quadratic = 0;
    double linear = 0;
    double slack = 0;
    for (std::size_t i = 0; i < samples; ++i) {
      const double fitted = inner_product(std::span(gram).subspan(i * samples, samples), std::span<const double>(beta));
      double offset = v[i] == 0 ? 0 : rule.tube * std::copysign(epsilon, v[i]);
      if (rule.values_as_targets) offset = v[i] - fitted;
      quadratic += beta[i] * fitted;
      linear += (fitted + offset) * beta[i] - epsilon * std::abs(beta[i]);
      slack += std::max(std::abs(offset) - epsilon, 0.0);
    }
    return {{quadratic / 2 + box * slack}, {linear - quadratic / 2}, quadratic + epsilon * box};
  };
  problem.ball_sides = [rule](const Inputs& inputs) -> engine::IdentityBallSides {
    const Constructed at = construct(inputs, rule);
    return {{svr::primal_objective(at.problem, at.beta, Ball(0))}, {svr::dual_objective(at.problem, at.beta)}};
  };
  // Sums of N terms whose sizes add up to at most 4 times the scale.
  problem.rounding_bound = 16 * samples * 0x1p-53;
  problem.evaluations = 2500;
  return guarded_identity(std::move(problem));
}

engine::Check perturbation(const TargetRule& rule) {
  auto list = blocks();
  list.push_back({"delta", samples, -0.5, 0.5});
  const engine::Layout layout(list);
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [rule](const Inputs& inputs) -> engine::BallSides {
    const Constructed at = construct(inputs, rule);
    BallVector moved = at.beta;
    for (std::size_t j = 0; j < samples; ++j) moved[j] += Ball(values(inputs, "delta", samples)[j]) * at.problem.box;
    return {svr::primal_objective(at.problem, at.beta, Ball(0)), svr::primal_objective(at.problem, moved, Ball(0))};
  };
  problem.evaluations = 3000;
  return guarded_inequality(std::move(problem));
}

}  // namespace

engine::Check prescribed_values_are_optimal(const TargetRule& rule) {
  return engine::composite({{"primal value equals dual value", engine::Kind::optimality, duality(rule)},
                            {"no perturbation improves", engine::Kind::universal_inequality, perturbation(rule)}});
}

}  // namespace attest::primal_dual
