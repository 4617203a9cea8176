// What went wrong in runs, for readers.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/journal/run_record.hpp"

namespace attest::outcomes {

/// "softmax, seed 3, step 120: the training loss ...", one line.
std::string warning_text(const journal::RunWarning& warning);

/// [{variant, seed, step, sentence}] for a summary.
nlohmann::ordered_json warnings_json(const std::vector<journal::RunWarning>& warnings);

/// The same as a table for the report: {caption, columns, rows}. Precondition: there are warnings.
nlohmann::ordered_json warnings_table(const nlohmann::ordered_json& warnings);

}  // namespace attest::outcomes
