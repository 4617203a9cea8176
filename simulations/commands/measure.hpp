// attest measure: the propositions' quantities on attention over real data.
#pragma once

#include <string>

#include "simulations/measure/untrained/measure.hpp"

namespace attest::commands {

/// Measures at `size` ("quick", "standard" or "deep"), prints the tables, and writes them to the file `json` unless it
/// is empty. Returns the exit code. Errors: std::invalid_argument, data::MissingData, reports::IoError.
int measure(measure::MeasureOptions options, const std::string& size, const std::string& json);

/// The same on a trained model, by attest_measure. Errors: std::invalid_argument when `options` names data, which a
/// checkpoint does itself; as hand_over.
int measure_checkpoint(const std::string& checkpoint, const measure::MeasureOptions& options, const std::string& size,
                       const std::string& json);

}  // namespace attest::commands
