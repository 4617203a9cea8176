// One local optimisation by NLopt with a fixed number of evaluations.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/search/adversarial.hpp"

namespace attest::search {

/// Improves `start` within the problem's box by a chain of NLopt's local methods and returns the best point met.
///
/// At most `evaluations` calls of the slack, whatever the methods do. `start_slack` is the slack at `start` (not NaN).
/// `rotation` rotates the chain and its first step, so that neighbouring starts are treated differently.
/// Inadmissible points (NaN) and +infinity are shown to the methods as a finite value above all others met, since the
/// interpolating ones break on infinities.
Phase optimise_locally(const Problem& problem, const std::vector<double>& start, double start_slack, int rotation,
                       std::int64_t evaluations);

}  // namespace attest::search
