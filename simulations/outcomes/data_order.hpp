// That variants have seen the same batches in the same order.
#pragma once

#include "simulations/experiment/experiment.hpp"
#include "simulations/outcomes/summary.hpp"

namespace attest::outcomes {

/// Compares `data_order`, the digest of a run's batches, between the variants of each seed that start from the same
/// seed (VariantSpec::seed_offset). Runs that stopped early are left out, for they have seen fewer batches.
/// Errors: std::invalid_argument naming the first two that differ.
void require_equal_order(const Experiment& experiment, const AllResults& results);

}  // namespace attest::outcomes
