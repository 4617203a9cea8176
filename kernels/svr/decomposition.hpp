// First phase of the solver: sequential minimal optimisation.
#pragma once

#include <cstdint>

#include "kernels/svr/dual_state.hpp"

namespace attest::svr {

/// What a run of `decompose` did.
struct Decomposition {
  std::int64_t steps = 0;
  bool unbounded =
      false;  ///< a direction of descent without curvature and without end was met (box = hard_margin only)
};

/// Moves `state.beta` by exact minimisation over one coordinate (no bias) or over a pair with constant sum (bias),
/// until the largest violation is at most `tolerance` or `limit` steps were taken. Cost of a step: O(n) and one or two
/// columns.
///
/// The first index is the most violating one, its partner the one with the largest predicted decrease among the
/// violating ones. Source: R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information
/// (2005), WSS 2.
Decomposition decompose(DualState& state, double tolerance, std::int64_t limit);

}  // namespace attest::svr
