// Second phase of the solver: Newton steps on the active set.
#pragma once

#include <cstdint>

#include "kernels/svr/dual_state.hpp"

namespace attest::svr {

/// What a run of `polish` did.
struct Polish {
  std::int64_t steps = 0;
  bool unbounded = false;  ///< the dual decreases without end along a direction that K maps to zero (up to rounding)
};

/// Primal active-set method from `state`: minimises the dual on the face of the variables strictly inside their pieces,
/// stops at the first variable that reaches 0 or a bound, releases the most violating fixed variable when the face is
/// optimal. Ends at the best point met, when the residual is at most `relative_tolerance` times state.scale(), or
/// `limit` steps were taken.
///
/// The face's quadratic is minimised through its eigendecomposition: directions with an eigenvalue below
/// n * machine epsilon * the largest one count as flat; they are followed to the end of the piece when the dual falls
/// along them and left alone otherwise, so the step is the shortest one. Cost of a step: O(m^3), m the free variables.
Polish polish(DualState& state, double relative_tolerance, std::int64_t limit);

}  // namespace attest::svr
