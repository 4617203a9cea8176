// The verdicts of a run, for a terminal.
#pragma once

#include <string>

#include "reports/record/results.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {

/// One line per claim, grouped by paper: verdict, whether it is the one on record ("=" or "≠"), finding, label, id,
/// headline evidence, near-misses caught, seconds; then what the signs mean and the closing lines (`console_totals`).
/// Narrow terminals lose the evidence, then the finding, then the label.
std::string console_table(const Results& results, const Terminal& terminal);

/// The closing lines alone: counts by verdict, every unexpected verdict, near-misses, the smallest error caught, the
/// false-alarm bound and the run's seed, budget and time.
std::string console_totals(const Results& results, const Terminal& terminal);

}  // namespace attest::reports
