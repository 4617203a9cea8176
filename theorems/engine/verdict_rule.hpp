// The rule from evidence to verdict: the only place where a verdict is made.
#pragma once

#include "theorems/engine/evidence.hpp"
#include "theorems/engine/statement.hpp"
#include "theorems/engine/verdict.hpp"

namespace attest::engine {

/// The verdict that `evidence` gives to a statement of this kind.
///
/// Identity: refuted by a confirmed witness; error when the balls agree and the doubles do not; supported otherwise.
/// Inequality: refuted by a confirmed witness; error when the least slack is negative beyond rounding and not
/// confirmed; supported when the search left no violation.
/// Certification: certified when nothing of the domain is left; refuted by a witness; undecided otherwise.
/// Existence: certified by a witness; refuted by an exhausted domain; undecided otherwise.
/// Expectation: refuted when an interval excludes its bound; supported when every interval lies on the claimed side of
/// bound + resolution; undecided otherwise.
/// Sequence: supported when the extrapolated interval lies within the resolution of the claim; refuted when it excludes
/// the claim and a bound that holds beyond the grid confirms it in ball arithmetic; undecided otherwise.
/// Statement: as the referee of the language judged it; error when a verdict lacks points, a method or a witness.
/// Composite: the worst part decides. Awaiting: undecided.
/// In all of them zero admissible points are vacuous, and zero evaluations, NaN, or a protocol that this kind of claim
/// does not admit are errors: nothing passes by accident.
Judgement judge(Kind kind, const Evidence& evidence);

}  // namespace attest::engine
