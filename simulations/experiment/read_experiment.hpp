// Experiments from TOML.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/experiment/experiment.hpp"

namespace attest::training {

/// Reads an experiment; `source` stands for the file in messages. Each of `overrides` is "key=value" with a dotted key
/// ("training.steps=20") and a TOML value, or a word without quotes.
/// Errors: std::invalid_argument, "FILE, line N: ..." with the fix, for what is not valid TOML, an unknown key (the
/// nearest are named), a value of another type or out of range, names that come twice; the override instead of the line
/// where that is at fault.
Experiment parse_experiment(std::string_view text, const std::string& source,
                            const std::vector<std::string>& overrides);

/// The same from a file; its name is the experiment's. Errors: also reports::IoError.
Experiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides);

}  // namespace attest::training
