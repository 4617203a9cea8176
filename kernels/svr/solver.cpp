#include "kernels/svr/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/svr/decomposition.hpp"
#include "kernels/svr/dual_state.hpp"
#include "kernels/svr/polish.hpp"

namespace attest::svr {
namespace {

// The gap is sum_i [C max(|r_i| - epsilon, 0) + epsilon |beta_i| - beta_i r_i] - b sum_i beta_i with r = y - K beta -
// b; each bracket is >= 0 for |beta_i| <= C, so nothing cancels between samples.
void fill_objectives(const Problem& problem, const DualState& state, Solution& solution) {
  double quadratic = 0.0;
  double linear = 0.0;
  double slack = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < state.beta.size(); ++i) {
    const double beta = state.beta[i];
    const double residual = state.errors[i] - solution.bias;
    const double excess = std::max(std::abs(residual) - problem.epsilon, 0.0);
    const double penalty = excess > 0 ? problem.box * excess : 0.0;  // 0 * infinity is not wanted
    quadratic += beta * (problem.targets[i] - state.errors[i]);
    linear += problem.targets[i] * beta - problem.epsilon * std::abs(beta);
    slack += penalty;
    sum += beta;
    solution.gap += std::max(penalty + problem.epsilon * std::abs(beta) - beta * residual, 0.0);
  }
  solution.gap += std::abs(solution.bias * sum);
  solution.primal = quadratic / 2 + slack;
  solution.dual = linear - quadratic / 2;
}

Solution report(const Problem& problem, DualState& state) {
  Solution solution;
  solution.beta = state.beta;
  for (const double beta : state.beta) {
    solution.alpha.push_back(std::max(beta, 0.0));
    solution.alpha_tilde.push_back(std::max(-beta, 0.0));
  }
  solution.bias = state.bias();
  for (std::size_t i = 0; i < state.beta.size(); ++i) {
    solution.fitted.push_back(problem.targets[i] - state.errors[i] + solution.bias);
  }
  solution.residual = state.residual(solution.bias);
  solution.scale = state.scale();
  fill_objectives(problem, state, solution);
  return solution;
}

// A Newton step costs the cube of the free variables: where they are more than this, decomposition goes on alone.
constexpr std::ptrdiff_t largest_face = 1000;

constexpr double coarse_tolerance = 1e-8;

std::ptrdiff_t free_count(const DualState& state) {
  return std::count_if(state.beta.begin(), state.beta.end(),
                       [&](double b) { return b != 0 && std::abs(b) < state.problem.box; });
}

}  // namespace

Solution solve(Problem& problem, const Options& options) {
  validate(problem);
  const auto n = static_cast<std::int64_t>(problem.targets.size());
  const std::int64_t limit = options.iterations > 0 ? options.iterations : 1000 * n + 100000;
  DualState state(problem);
  std::int64_t steps = 0;
  std::int64_t newton_steps = 0;
  bool unbounded = false;
  // Decomposition finds the active set cheaply but ends slowly; the polish ends exactly but moves the active set by one
  // variable a step. Each round gives the first more accuracy and more steps.
  // Where little accuracy is asked for, decomposition gets there alone.
  const bool coarse = options.tolerance >= coarse_tolerance;
  std::int64_t round_limit = coarse ? limit : 50 * n + 200;
  for (double relative = coarse ? options.tolerance : 1e-3; !unbounded && steps < limit; relative *= 1e-2) {
    const double scale = state.scale();
    const auto decomposition =
        decompose(state, std::max(relative, options.tolerance / 4) * scale, std::min(round_limit, limit - steps));
    round_limit *= 4;
    steps += decomposition.steps;
    unbounded = decomposition.unbounded;
    if (coarse && state.residual(state.bias()) <= options.tolerance * state.scale()) break;
    if (free_count(state) <= largest_face) {
      const auto polished = polish(state, options.tolerance / 4, 4 * n + 40);
      newton_steps += polished.steps;
      unbounded = unbounded || polished.unbounded;
    }
    if (state.residual(state.bias()) <= options.tolerance * state.scale()) break;
    if (decomposition.steps == 0 && relative < options.tolerance) break;  // nothing left that rounding lets move
  }
  Solution solution = report(problem, state);
  solution.iterations = steps;
  solution.newton_steps = newton_steps;
  if (solution.residual <= options.tolerance * solution.scale) {
    solution.status = Status::converged;
  } else {
    solution.status = unbounded ? Status::infeasible : Status::not_converged;
  }
  return solution;
}

}  // namespace attest::svr
