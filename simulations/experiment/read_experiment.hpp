// Experiments from TOML.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/experiment/experiment.hpp"

namespace attest::experiment {

/// Reads an experiment; `source` stands for the file in messages. Each of `overrides` is "key=value" with a dotted key
/// ("training.steps=20") and a TOML value, or a word without quotes.
/// Errors: std::invalid_argument, "FILE, line N: ..." with the fix, for what is not valid TOML, an unknown key (the
/// nearest are named), a value of another type or out of range, names that come twice; the override instead of the line
/// where that is at fault.
Experiment parse_experiment(std::string_view text, const std::string& source,
                            const std::vector<std::string>& overrides);

/// The same from a file; its name is the experiment's. Errors: also files::UnreadableFile.
Experiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// Experiments that share all but what their [[skill]] says.
struct ExperimentSet {
  std::string name, title;
  std::string canonical;  ///< as Experiment::canonical, of the whole file
  std::vector<Experiment> experiments;
};

/// Reads a file with tables [[skill]], each with a name and tables data, model, training or comparison that change the
/// file's; data.name is NAME-generated if not given. Errors: as parse_experiment; those of the changed tables name the
/// skill in the place of the line.
ExperimentSet parse_experiment_set(std::string_view text, const std::string& source,
                                   const std::vector<std::string>& overrides);

/// The same from a file; its name is the set's. Errors: also files::UnreadableFile.
ExperimentSet read_experiment_set(const std::filesystem::path& file, const std::vector<std::string>& overrides);

}  // namespace attest::experiment
