// The dual iterate shared by the two phases of the solver, with the optimality conditions read off it.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/svr/problem.hpp"

namespace attest::svr {

/// A feasible beta and the prediction errors e = y - K beta (without bias) that belong to it.
///
/// Each beta_i moves on an interval cut at the kink of |beta_i|: between 0 and C while it is positive or about to rise
/// from 0, between -C and 0 otherwise. On such a piece the dual objective is quadratic with slope -(e_i - epsilon) or
/// -(e_i + epsilon).
struct DualState {
  explicit DualState(Problem& problem);

  Problem& problem;
  std::vector<double> beta;
  std::vector<double> errors;

  /// Rate of decrease when beta_i rises: e_i - epsilon for beta_i >= 0, e_i + epsilon below; -infinity at the bound C.
  double rising(std::size_t i) const;
  /// Minus the rate of decrease when beta_i falls: e_i - epsilon for beta_i > 0, else e_i + epsilon; +infinity at -C.
  double falling(std::size_t i) const;
  /// Nearest point above beta_i where the piece ends: 0 or C.
  double next_above(std::size_t i) const;
  /// Nearest point below beta_i where the piece ends: 0 or -C.
  double next_below(std::size_t i) const;

  /// Bias that makes the largest violation least: the middle of [max rising, min falling]; 0 for a problem without
  /// bias. A side without candidates leaves the other side alone.
  double bias() const;
  /// Largest violation of rising(i) <= b <= falling(i) over all samples, >= 0, in units of the targets.
  double residual(double b) const;
  /// max_i (|y_i| + sum_j |K_ij beta_j|) + epsilon: the size of the terms whose difference the residual is.
  double scale();
  /// Recomputes `errors` from beta with long double accumulation.
  void refresh_errors();
};

}  // namespace attest::svr
