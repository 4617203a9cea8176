// Whether the intervals of expectations tell what a search found.
#pragma once

#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/question/outcome.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::referee {

/// Whether the intervals at the tightest points are narrow enough for the verdict of the search, which becomes
/// `undecided` where they are not, and where a strict relation is as close to equality as they see. The method and, for
/// sides that agree as far as they tell, a remark are filled in.
bool intervals_tell(std::vector<Trial>& trials, const engine::Context& context, Outcome& outcome);

}  // namespace attest::referee
