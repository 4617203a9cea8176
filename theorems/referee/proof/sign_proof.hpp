// Inequalities between rational functions, roots and absolute values on boxes and half spaces, by factors and the signs
// of coefficients: also where both sides touch, and on unbounded domains.
#pragma once

#include "theorems/engine/context.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// Whether the claim was shown at every point of its domain at which both sides are defined. Each relation's
/// difference of sides is made one fraction; numerator and denominator are factored; factors of even power need no
/// more, and each other one must have one sign. Its variables are mapped to x >= 0, where the coefficients of the
/// factor, or of its parts on a subdivision, have one sign. A root r in p + q r >= 0 with q <= 0 is squared out.
/// Conditions that are linear in a variable take its place. At most 8 numbers. False says nothing. What it
/// may spend is fixed. Errors: engine::Interrupted.
bool prove_by_signs(const language::Program& program, const engine::Context& context);

}  // namespace attest::referee
