#include "kernels/svr/polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Core>

#include "kernels/spectra/symmetric_spectrum.hpp"

namespace attest::svr {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A variable that may move, and the piece of its range on which the dual is quadratic. A released variable still stands
// at an end of its piece, so the piece must be kept apart from the value.
struct Free {
  std::size_t index;
  double lower;
  double upper;
  double kink;  // derivative of epsilon |beta| on the piece
};

// The piece above (sign 1) or below (sign -1) zero; without a tube there is no kink at 0 and the whole box is one
// piece.
Free piece(const DualState& state, std::size_t index, double sign) {
  const double box = state.problem.box;
  if (state.problem.epsilon == 0) return {index, -box, box, 0.0};
  if (sign > 0) return {index, 0.0, box, state.problem.epsilon};
  return {index, -box, 0.0, -state.problem.epsilon};
}

bool is_free(const DualState& state, std::size_t i) {
  const double size = std::abs(state.beta[i]);
  return (size > 0 || state.problem.epsilon == 0) && size < state.problem.box;
}

std::vector<Free> free_variables(const DualState& state) {
  std::vector<Free> free;
  for (std::size_t i = 0; i < state.beta.size(); ++i) {
    if (is_free(state, i)) free.push_back(piece(state, i, state.beta[i]));
  }
  return free;
}

struct Direction {
  Eigen::VectorXd step;
  bool flat = false;  // no curvature along the step: it has no natural length
};

// Householder reflection that maps the constant vector to the first axis: I - 2 v v' with the returned unit vector v.
Eigen::VectorXd constant_to_first_axis(Eigen::Index m) {
  Eigen::VectorXd v = Eigen::VectorXd::Constant(m, 1.0 / std::sqrt(static_cast<double>(m)));
  v(0) += 1.0;
  return v.normalized();
}

// Minimiser of 1/2 d' K d + g' d in the eigenbasis of K, shortest where K is flat, or a flat direction of descent.
Direction shortest_minimiser(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient, double tolerance) {
  const Eigen::Index m = gradient.size();
  const spectra::SymmetricEigenpairs spectrum = spectra::increasing_symmetric_eigenpairs(hessian);
  const double flat_below = static_cast<double>(m) * std::numeric_limits<double>::epsilon() *
                            std::max(spectrum.values.cwiseAbs().maxCoeff(), 0.0);
  const Eigen::VectorXd slopes = spectrum.vectors.transpose() * gradient;
  Eigen::VectorXd newton = Eigen::VectorXd::Zero(m);
  Eigen::VectorXd descent = Eigen::VectorXd::Zero(m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const double value = spectrum.values(k);
    if (value > flat_below) {
      newton(k) = -slopes(k) / value;
    } else if (std::abs(slopes(k)) > tolerance) {
      descent(k) = -slopes(k);
    }
  }
  const bool flat = descent.squaredNorm() > 0;
  return {spectrum.vectors * (flat ? descent : newton), flat};
}

// The Newton step on the face spanned by the free variables, within sum d = 0 when there is a bias.
Direction newton_direction(DualState& state, const std::vector<Free>& free, double tolerance) {
  const auto m = static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd hessian(m, m);
  Eigen::VectorXd gradient(m);
  for (Eigen::Index c = 0; c < m; ++c) {
    const Free& variable = free[static_cast<std::size_t>(c)];
    const auto column = state.problem.gram.column(variable.index);
    for (Eigen::Index r = 0; r < m; ++r) hessian(r, c) = column[free[static_cast<std::size_t>(r)].index];
    gradient(c) = variable.kink - state.errors[variable.index];
  }
  if (!state.problem.with_bias) return shortest_minimiser(hessian, gradient, tolerance);
  if (m == 1) return {Eigen::VectorXd::Zero(1), false};
  // The constant vector is turned into a coordinate and that coordinate dropped: a projection would leave it as a null
  // vector that rounding mixes with the smallest eigenvalues.
  const Eigen::VectorXd v = constant_to_first_axis(m);
  hessian -= 2 * v * (v.transpose() * hessian).eval();
  hessian -= (hessian * v).eval() * 2 * v.transpose();
  gradient -= 2 * v.dot(gradient) * v;
  const Direction reduced =
      shortest_minimiser(hessian.bottomRightCorner(m - 1, m - 1), gradient.tail(m - 1), tolerance);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(m);
  step.tail(m - 1) = reduced.step;
  step -= 2 * v.dot(step) * v;
  return {step, reduced.flat};
}

// Moves along the direction to its end or to the first variable that leaves its piece. Returns false when nothing stops
// a flat direction; `blocked` tells whether a variable reached an end (it is then set to that end exactly).
bool move(DualState& state, const std::vector<Free>& free, const Direction& direction, bool& blocked) {
  double length = direction.flat ? infinity : 1.0;
  std::size_t blocking = free.size();
  for (std::size_t f = 0; f < free.size(); ++f) {
    const double rate = direction.step(static_cast<Eigen::Index>(f));
    const double value = state.beta[free[f].index];
    double reach = infinity;
    if (rate < 0) reach = (free[f].lower - value) / rate;
    if (rate > 0) reach = (free[f].upper - value) / rate;
    if (reach < length) {
      length = reach;
      blocking = f;
    }
  }
  if (std::isinf(length)) return false;
  for (std::size_t f = 0; f < free.size(); ++f) {
    double& value = state.beta[free[f].index];
    value = std::clamp(value + length * direction.step(static_cast<Eigen::Index>(f)), free[f].lower, free[f].upper);
  }
  blocked = blocking < free.size();
  if (blocked) {
    const bool falls = direction.step(static_cast<Eigen::Index>(blocking)) < 0;
    state.beta[free[blocking].index] = falls ? free[blocking].lower : free[blocking].upper;
  }
  state.refresh_errors();
  return true;
}

// Adds the fixed variable that violates its condition most, or the most violating pair when the face is empty and the
// sum is constrained. Returns false when none violates by more than the tolerance.
bool release(const DualState& state, std::vector<Free>& free, double tolerance) {
  double b = 0.0;
  if (state.problem.with_bias) {
    if (free.empty()) {
      b = state.bias();
    } else {
      for (const Free& f : free) b += (state.errors[f.index] - f.kink) / static_cast<double>(free.size());
    }
  }
  std::size_t rising = state.beta.size();
  std::size_t falling = state.beta.size();
  double most_rising = tolerance;
  double most_falling = tolerance;
  for (std::size_t i = 0; i < state.beta.size(); ++i) {
    if (is_free(state, i)) continue;
    if (const double v = state.rising(i) - b; v > most_rising) most_rising = v, rising = i;
    if (const double v = b - state.falling(i); v > most_falling) most_falling = v, falling = i;
  }
  const bool both = state.problem.with_bias && free.empty();
  const bool rise = rising < state.beta.size() && (both || most_rising >= most_falling);
  const bool fall = falling < state.beta.size() && (both || !rise);
  if (rise) free.push_back(piece(state, rising, state.beta[rising] >= 0 ? 1.0 : -1.0));
  if (fall) free.push_back(piece(state, falling, state.beta[falling] > 0 ? 1.0 : -1.0));
  return rise || fall;
}

}  // namespace

Polish polish(DualState& state, double relative_tolerance, std::int64_t limit) {
  Polish done;
  state.refresh_errors();
  auto free = free_variables(state);
  std::vector<double> best = state.beta;
  double best_residual = state.residual(state.bias());
  double tolerance = relative_tolerance * state.scale();  // follows beta, which may grow by orders of magnitude
  while (done.steps < limit && !(best_residual <= tolerance)) {
    bool blocked = false;
    if (!free.empty()) {
      if (!move(state, free, newton_direction(state, free, tolerance), blocked)) {
        done.unbounded = true;
        break;
      }
      ++done.steps;
      tolerance = relative_tolerance * state.scale();
    }
    if (const double now = state.residual(state.bias()); now < best_residual) {
      best_residual = now;
      best = state.beta;
    }
    free = free_variables(state);
    if (!blocked && !release(state, free, tolerance) && free.empty()) break;
  }
  state.beta = std::move(best);
  state.refresh_errors();
  return done;
}

}  // namespace attest::svr
