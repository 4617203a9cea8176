// The variants of an experiment: what [model] says, changed by each [[variant]].
#pragma once

#include <vector>

#include "simulations/experiment/experiment.hpp"
#include "simulations/spec/spec_reader.hpp"

namespace attest::experiment {

/// Errors: std::invalid_argument with file, line and fix.
std::vector<VariantSpec> read_variants(spec::SpecReader& root);

}  // namespace attest::experiment
