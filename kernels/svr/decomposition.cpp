#include "kernels/svr/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "kernels/simd/lanes.hpp"

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

// What registers do at once. The same choices in the same order on every set of instructions: no lane is mixed with
// another before the end, and ties go to the smallest index.
using V = simd::Lanes<double, 32>;

// The largest of the values offered, and the first index that has it.
struct Best {
  V value{-infinity}, index{-1.0};

  void offer(V candidate, V at) {
    index = if_less(value, candidate, at, index);
    value = if_less(value, candidate, candidate, value);
  }
  std::size_t first(double& top) const {
    double values[V::count], indices[V::count];
    value.store(values);
    index.store(indices);
    int chosen = 0;
    for (int lane = 1; lane < V::count; ++lane) {
      const bool earlier = values[lane] == values[chosen] && indices[lane] < indices[chosen];
      if (values[lane] > values[chosen] || earlier) chosen = lane;
    }
    top = values[chosen];
    return static_cast<std::size_t>(indices[chosen]);
  }
};

// Sequential minimal optimisation over pairs: i rises and j falls by the same amount, which keeps the sum of beta.
// What rises and falls by how much differs from the errors only by -epsilon, epsilon or an infinity, kept in arrays of
// their own, so that the loops have no branches. All arrays are padded to whole registers.
class PairSteps {
 public:
  explicit PairSteps(DualState& state) : state_(state), n_(state.beta.size()) {
    const std::size_t padded = (n_ + V::count - 1) / V::count * V::count;
    errors_.assign(padded, 0.0);
    std::copy(state.errors.begin(), state.errors.end(), errors_.begin());
    rise_.assign(padded, -infinity);
    fall_.assign(padded, infinity);
    diagonal_.assign(padded, 1.0);
    up_column_.assign(padded, 0.0);
    down_column_.assign(padded, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      diagonal_[i] = state.problem.gram.diagonal(i);
      refresh_piece(i);
    }
    steepest_ = steepest();
  }

  // The errors go back to the state.
  void finish() { std::copy_n(errors_.begin(), n_, state_.errors.begin()); }

  bool step(double tolerance, Decomposition& done) {
    const std::size_t up = steepest_;
    const double top = top_;
    load_column(up, up_column_);
    double largest_violation = 0;
    const std::size_t down = partner(up, largest_violation);
    if (down == n_ || !(largest_violation > tolerance)) return false;
    const double diagonal_sum = diagonal_[up] + diagonal_[down];
    const double flat = diagonal_sum - 2 * up_column_[down];
    const double room = std::min(state_.next_above(up) - state_.beta[up], state_.beta[down] - state_.next_below(down));
    if (std::isinf(room) && !(flat > least_relative_curvature * diagonal_sum)) {
      done.unbounded = true;
      return false;
    }
    const double falling = errors_[down] + fall_[down];
    const double length = std::min((top - falling) / floor_curvature(flat, diagonal_sum), room);
    // Written so that a step which ends a piece lands on the end exactly.
    const bool up_ends = length == state_.next_above(up) - state_.beta[up];
    const bool down_ends = length == state_.beta[down] - state_.next_below(down);
    state_.beta[up] = up_ends ? state_.next_above(up) : state_.beta[up] + length;
    state_.beta[down] = down_ends ? state_.next_below(down) : state_.beta[down] - length;
    refresh_piece(up);
    refresh_piece(down);
    load_column(down, down_column_);
    steepest_ = shift_errors_and_find_steepest(length);
    return true;
  }

 private:
  // As DualState::rising and falling, without the errors.
  void refresh_piece(std::size_t i) {
    const double beta = state_.beta[i], epsilon = state_.problem.epsilon;
    rise_[i] = beta >= state_.problem.box ? -infinity : (beta < 0 ? epsilon : -epsilon);
    fall_[i] = beta <= -state_.problem.box ? infinity : (beta > 0 ? -epsilon : epsilon);
  }

  void load_column(std::size_t i, std::vector<double>& to) {
    const auto column = state_.problem.gram.column(i);
    std::copy(column.begin(), column.end(), to.begin());
  }

  static V lane_numbers() {
    double numbers[V::count];
    for (int lane = 0; lane < V::count; ++lane) numbers[lane] = lane;
    return V::load(numbers);
  }

  std::size_t steepest() {
    Best best;
    V index = lane_numbers();
    for (std::size_t i = 0; i < errors_.size(); i += V::count, index = index + V(V::count))
      best.offer(V::load(&errors_[i]) + V::load(&rise_[i]), index);
    return best.first(top_);
  }

  std::size_t shift_errors_and_find_steepest(double length) {
    Best best;
    V index = lane_numbers();
    const V step(length);
    for (std::size_t i = 0; i < errors_.size(); i += V::count, index = index + V(V::count)) {
      const V error = V::load(&errors_[i]) - step * V::load(&up_column_[i]) + step * V::load(&down_column_[i]);
      error.store(&errors_[i]);
      best.offer(error + V::load(&rise_[i]), index);
    }
    return best.first(top_);
  }

  // The violating partner of `up` with the largest predicted decrease; n when there is none.
  std::size_t partner(std::size_t up, double& largest_violation) {
    const double kept = fall_[up];
    fall_[up] = infinity;  // Not its own partner.
    Best best;
    V index = lane_numbers(), most(0.0);
    const V top(top_), up_diagonal(diagonal_[up]), two(2.0), least(least_relative_curvature), zero(0.0), none(-1.0);
    for (std::size_t i = 0; i < errors_.size(); i += V::count, index = index + V(V::count)) {
      const V violation = top - (V::load(&errors_[i]) + V::load(&fall_[i]));
      most = larger(most, violation);
      const V diagonal_sum = up_diagonal + V::load(&diagonal_[i]);
      const V flat = diagonal_sum - two * V::load(&up_column_[i]);
      const V floor = least * diagonal_sum;
      const V curvature = if_less(flat, floor, floor, flat);
      best.offer(if_less(zero, violation, violation * violation / curvature, none), index);
    }
    fall_[up] = kept;
    double lanes[V::count], gain = 0;
    most.store(lanes);
    largest_violation = *std::max_element(lanes, lanes + V::count);
    const std::size_t chosen = best.first(gain);
    return gain < 0 ? n_ : chosen;
  }

  DualState& state_;
  std::size_t n_, steepest_ = 0;
  double top_ = 0;
  std::vector<double> errors_, rise_, fall_, diagonal_, up_column_, down_column_;
};

}  // namespace

Decomposition decompose(DualState& state, double tolerance, std::int64_t limit) {
  Decomposition done;
  if (state.problem.with_bias) {
    PairSteps pairs(state);
    while (done.steps < limit && pairs.step(tolerance, done)) ++done.steps;
    pairs.finish();
  } else {
    while (done.steps < limit && coordinate_step(state, tolerance, done)) ++done.steps;
  }
  state.refresh_errors();
  return done;
}

}  // namespace attest::svr
