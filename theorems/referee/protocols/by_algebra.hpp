// Verdicts by algebra over the rationals.
#pragma once

#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/points/sizes.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::referee {

/// Concludes where algebra decides the relation, as one between rational functions, at every choice of sizes tried:
/// `certified` where it does so at every choice that the statement allows, those that were not tried included (up to
/// 256 in all), else `supported`. Algebra holds wherever both sides are defined, so points left out need no word.
/// False, with `outcome` as it was, where it does not decide. Precondition: no variable is random.
/// Errors: engine::Interrupted.
bool conclude_by_algebra(const language::Statement& statement, const Sizes& sizes, const std::vector<Trial>& trials,
                         const engine::Context& context, Outcome& outcome);

}  // namespace attest::referee
