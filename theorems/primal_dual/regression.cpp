#include "theorems/primal_dual/regression.hpp"

#include <cmath>

#include "theorems/engine/protocols/layout.hpp"

namespace attest::primal_dual {

using rigor::Ball;
using rigor::BallMatrix;

namespace {

// Every sample's place is beyond doubt: its multiplier or its residual is away from the limit by more than rounding.
bool is_clear(const Regression& data, const svr::Solution& solution) {
  constexpr double doubt = 1e-9;
  for (std::size_t j = 0; j < data.samples(); ++j) {
    const double size = std::abs(solution.beta[j]);
    const double residual = std::abs(data.targets[j] - solution.fitted[j]);
    if (size >= data.box) {
      if (!(residual - data.epsilon > doubt * solution.scale)) return false;
    } else if (data.epsilon > 0 && size == 0) {
      if (!(data.epsilon - residual > doubt * solution.scale)) return false;
    } else {
      if (data.epsilon > 0 && !(size * solution.scale > doubt)) return false;
      if (std::isfinite(data.box) && !(data.box - size > doubt * data.box)) return false;
    }
  }
  return true;
}

// The kernel matrix of these keys, enclosed.
BallMatrix exact_gram(const Keys<Ball>& keys) {
  BallMatrix gram(keys.size(), keys.size());
  gram.entries = keys.gram();
  return gram;
}

}  // namespace

Regression regression(const engine::Inputs& inputs, std::size_t samples, std::size_t dimension, bool with_bias) {
  const auto keys = values(inputs, "keys", samples * dimension);
  const auto targets = values(inputs, "targets", samples);
  return {{keys.begin(), keys.end()},
          dimension,
          {targets.begin(), targets.end()},
          inputs.scalar("epsilon"),
          inputs.has("C") ? inputs.scalar("C") : svr::hard_margin,
          with_bias};
}

std::optional<svr::Solution> solve(const Regression& data) {
  const Keys<double> keys(data.keys, data.dimension);
  svr::Problem problem{svr::Gram::dense(data.samples(), keys.gram()), data.targets, data.epsilon, data.box,
                       data.with_bias};
  svr::Solution solution = svr::solve(problem);
  if (solution.status != svr::Status::converged || !is_clear(data, solution)) return std::nullopt;
  return solution;
}

Ball ExactRegression::weight_norm_squared() const {
  return rigor::dot(rigor::multiply(problem.gram, optimum.beta), optimum.beta);
}

Ball ExactRegression::slack() const {
  Ball sum;
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (places[j] != svr::Place::upper_bound && places[j] != svr::Place::lower_bound) continue;
    sum += rigor::abs(problem.targets[j] - optimum.fitted[j]) - problem.epsilon;
  }
  return sum;
}

std::optional<ExactRegression> solve_exactly(const Regression& data) {
  const auto rounded = solve(data);
  if (!rounded) return std::nullopt;
  const Keys<Ball> keys(data.keys, data.dimension);
  ExactRegression exact{
      {exact_gram(keys), rigor::to_balls(data.targets), Ball(data.epsilon), Ball(data.box), data.with_bias},
      {},
      svr::places(*rounded, data.box)};
  auto optimum = svr::enclose_optimum(exact.problem, exact.places, rounded->bias);
  if (!optimum) return std::nullopt;
  exact.optimum = std::move(*optimum);
  return exact;
}

}  // namespace attest::primal_dual
