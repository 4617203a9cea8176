// One protocol for each kind of question; each fills the outcome that `judge` has begun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/question/met_equations.hpp"
#include "theorems/referee/question/outcome.hpp"
#include "theorems/referee/trials/trials.hpp"
#include "theorems/referee/trials/violations.hpp"

namespace attest::referee {

/// forall ...: searched, confirmed, proved where it can be, with near-misses where `near_misses`.
void judge_as_written(const language::Statement& statement, const engine::Context& context, bool near_misses,
                      Outcome& outcome);
/// The same, and first at points that meet equations by construction, where `with_equations_met` knows how:
/// they refute what no point can that meets them up to rounding.
void judge_universal(const language::Statement& statement, const engine::Context& context, bool near_misses,
                     Outcome& outcome);
/// Says of an outcome that its points meet equations by construction, and shows beside each what is defined there.
void say_met(const MetEquations& met, Outcome& outcome);
/// forall ...: not (a = b), which no search in doubles supports: it passes by sqrt 2.
bool says_unequal(const language::Statement& statement);
/// Such a statement, of which `trials` met no violation: a solution of the equation refutes it, that there is none
/// certifies it, and sides that come near each other leave it undecided. Else the outcome stays as it is.
void judge_unequal(const language::Statement& statement, const std::vector<Trial>& trials,
                   const engine::Context& context, Outcome& outcome);
/// exists ...: a point is searched and confirmed.
void judge_existential(const language::Statement& statement, const engine::Context& context, Outcome& outcome);
/// forall ... exists ...
void judge_mixed(const language::Statement& statement, const engine::Context& context, Outcome& outcome);
/// best C in ...: forall ..., at points that meet equations by construction where `with_equations_met` knows how.
void judge_best(const language::Statement& statement, const engine::Context& context, Outcome& outcome);
/// limit n -> ..., and f(n) = O(g(n)).
void judge_limit(const language::Statement& statement, const engine::Context& context, Outcome& outcome);

/// The near-misses and assumptions of a statement that stands, judged from its tightest points.
void judge_variations(const language::Statement& statement, const engine::Context& context,
                      const std::vector<Trial>& trials, Outcome& outcome);

/// The same for a limit or an order: its constants and exponents, each judged as a limit.
void judge_limit_variations(const language::Statement& statement, const engine::Context& context, Outcome& outcome);

/// The smallest factor of the right side that is not refuted, for an inequality that is.
void find_repair(const language::Statement& statement, const engine::Context& context, Outcome& outcome);

/// One sentence: sizes, ranges and numbers of points that were really searched.
std::string domain_sentence(const Sizes& sizes, const std::vector<Trial>& trials);

}  // namespace attest::referee
