// Metrics of a run that are relative to the baseline's run with the same seed.
#pragma once

#include "simulations/experiment/experiment.hpp"
#include "simulations/outcomes/summary.hpp"

namespace attest::outcomes {

/// Adds mean_corruption_error where corruptions were measured: the mean over the corruptions c of
/// sum_s E(variant, c, s) / sum_s E(baseline, c, s) over severities s, E the share of wrong answers (mCE of Hendrycks
/// and Dietterich 2019, whose baseline is AlexNet; as a ratio, not in percent). 1 for the baseline itself. Corruptions
/// under which the baseline with this seed makes no error are left out; 1 if these are all.
/// Precondition: every variant and seed has results.
void add_corruption_error(const Experiment& experiment, AllResults& results);

}  // namespace attest::outcomes
