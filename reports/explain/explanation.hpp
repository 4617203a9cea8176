// One statement in full, for a terminal.
#pragma once

#include <string>

#include "reports/record/results.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {

/// What the claim says and assumes, how it was judged, the evidence, why this verdict and what would change it, the
/// counterexample with its replay command, the near-misses and near-hits, what it amends, what amends it, what it
/// depends on and what its check owes. `results` is the document it belongs to: amendments are looked up in it.
std::string explanation(const Results& results, const Claim& claim, const Terminal& terminal);

/// The same for a statement without results: what it says and assumes, how it is judged, the verdict on record
/// (`expected`), the names of its planted near-misses, and its relations as above.
std::string static_explanation(const Results& results, const Claim& claim, const Terminal& terminal);

}  // namespace attest::reports
