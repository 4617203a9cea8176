// [training] of an experiment's file.
#pragma once

#include "simulations/experiment/experiment.hpp"
#include "simulations/spec/spec_reader.hpp"

namespace attest::experiment {

/// Every key of the table may be left out. Errors: std::invalid_argument with file, line and fix.
TrainingSpec read_training(spec::SpecReader read);

}  // namespace attest::experiment
