// The verdicts of a run, for a terminal.
#pragma once

#include <string>

#include "reports/record/results.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {

/// One line per claim, grouped by paper: verdict, whether it is the one on record ("=" or "≠"), finding, label, id,
/// headline evidence, near-misses caught, seconds; then what the signs mean and the closing lines (`console_totals`).
/// Narrow terminals lose the evidence, then the finding, and cut labels and ids.
std::string console_table(const Results& results, const Terminal& terminal);

/// The closing lines alone: counts by verdict, every unexpected verdict, whether the run was interrupted, near-misses
/// with the smallest error caught, near-hits, the false-alarm bound, and the run's seed, budget, threads and time.
std::string console_totals(const Results& results, const Terminal& terminal);

}  // namespace attest::reports
