// Violations whose conditions are linear equations: points in doubles meet them up to rounding, short numbers exactly.
#pragma once

#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/trials/trials.hpp"
#include "theorems/referee/trials/violations.hpp"

namespace attest::referee {

/// Violations in doubles among the tightest points of each trial, moved to numbers of few bits and then, one number for
/// each equation among the conditions, onto that equation, as sum(x) = 0; the first one that balls confirm with all
/// conditions, or nothing. Nothing for expectations and statements without such conditions. Errors:
/// engine::Interrupted.
std::vector<Violation> violations_on_equations(const std::vector<Trial>& trials, const engine::Context& context);

}  // namespace attest::referee
