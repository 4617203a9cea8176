// [axes] of an experiment's file: settings of training among which each variant chooses its own.
#pragma once

#include <toml++/toml.h>

#include "simulations/experiment/experiment.hpp"
#include "simulations/spec/spec_reader.hpp"

namespace attest::experiment {

/// Reads lists such as `training.learning_rate = [1e-3, 1e-2]` into the experiment's axes and settings, one setting for
/// each combination; none when there is no such table. `document` is the whole file, whose [training] the lists change.
/// Errors: std::invalid_argument with file, line and fix: for a key that would change the batches, so that runs were no
/// pairs; fewer than two values, or one twice; more than 1000 settings; a value that [training] refuses; a compared
/// metric of the validation part, by which settings are chosen.
void read_axes(spec::SpecReader& root, const toml::table& document, Experiment& experiment);

}  // namespace attest::experiment
