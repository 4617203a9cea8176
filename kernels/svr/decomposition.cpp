#include "kernels/svr/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attest::svr {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Least curvature, relative to the diagonal, used for a step. Directions flatter than this are walked in bounded steps
// (most often to the end of the piece) instead of by a quotient of two rounding errors.
constexpr double least_relative_curvature = 1e-12;

void shift_errors(std::vector<double>& errors, std::span<const double> column, double step) {
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] -= step * column[i];
}

double floor_curvature(double curvature, double diagonal_sum) {
  return std::max(curvature, least_relative_curvature * diagonal_sum);
}

// One coordinate: the dual without a bias separates its box.
bool coordinate_step(DualState& state, double tolerance, Decomposition& done) {
  const std::size_t n = state.beta.size();
  std::size_t chosen = n;
  double best_gain = -1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double violation = std::max(state.rising(i), -state.falling(i));
    if (!(violation > tolerance)) continue;
    const double diagonal = state.problem.gram.diagonal(i);
    const double gain = diagonal > 0 ? violation * violation / diagonal : infinity;
    if (gain > best_gain) {
      best_gain = gain;
      chosen = i;
    }
  }
  if (chosen == n) return false;
  const double diagonal = state.problem.gram.diagonal(chosen);
  const bool rises = state.rising(chosen) > -state.falling(chosen);
  const double slope = rises ? state.rising(chosen) : state.falling(chosen);
  const double end = rises ? state.next_above(chosen) : state.next_below(chosen);
  const double newton = state.beta[chosen] + slope / diagonal;  // infinite for a zero diagonal: the end is nearer
  const double target = rises ? std::min(newton, end) : std::max(newton, end);
  if (std::isinf(target)) {
    done.unbounded = true;
    return false;
  }
  const double step = target - state.beta[chosen];
  state.beta[chosen] = target;
  shift_errors(state.errors, state.problem.gram.column(chosen), step);
  return true;
}

// A pair (i rises, j falls) by the same amount: the sum of beta is kept.
bool pair_step(DualState& state, double tolerance, Decomposition& done) {
  const std::size_t n = state.beta.size();
  std::size_t up = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (state.rising(i) > state.rising(up)) up = i;
  }
  const double top = state.rising(up);
  const auto up_column = state.problem.gram.column(up);
  const double up_diagonal = state.problem.gram.diagonal(up);
  std::size_t down = n;
  double best_gain = -1.0;
  double largest_violation = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const double violation = top - state.falling(j);
    if (j == up || !(violation > 0)) continue;
    largest_violation = std::max(largest_violation, violation);
    const double diagonal_sum = up_diagonal + state.problem.gram.diagonal(j);
    const double curvature = floor_curvature(diagonal_sum - 2 * up_column[j], diagonal_sum);
    const double gain = curvature > 0 ? violation * violation / curvature : infinity;
    if (gain > best_gain) {
      best_gain = gain;
      down = j;
    }
  }
  if (down == n || !(largest_violation > tolerance)) return false;
  const double diagonal_sum = up_diagonal + state.problem.gram.diagonal(down);
  const double flat = diagonal_sum - 2 * up_column[down];
  const double room = std::min(state.next_above(up) - state.beta[up], state.beta[down] - state.next_below(down));
  if (std::isinf(room) && !(flat > least_relative_curvature * diagonal_sum)) {
    done.unbounded = true;
    return false;
  }
  const double step = std::min((top - state.falling(down)) / floor_curvature(flat, diagonal_sum), room);
  // Written so that a step which ends a piece lands on the end exactly.
  const bool up_ends = step == state.next_above(up) - state.beta[up];
  const bool down_ends = step == state.beta[down] - state.next_below(down);
  state.beta[up] = up_ends ? state.next_above(up) : state.beta[up] + step;
  state.beta[down] = down_ends ? state.next_below(down) : state.beta[down] - step;
  shift_errors(state.errors, up_column, step);
  shift_errors(state.errors, state.problem.gram.column(down), -step);
  return true;
}

}  // namespace

Decomposition decompose(DualState& state, double tolerance, std::int64_t limit) {
  Decomposition done;
  const auto step = state.problem.with_bias ? pair_step : coordinate_step;
  while (done.steps < limit && step(state, tolerance, done)) ++done.steps;
  state.refresh_errors();
  return done;
}

}  // namespace attest::svr
