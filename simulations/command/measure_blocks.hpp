// attest measure --blocks: the clusters that untrained blocks make of images, as a result that statements are judged
// by.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "simulations/measure/untrained/measure.hpp"

namespace attest::commands {

/// Runs of measure::run_blocks on the data set, with seeds from `options.seed` on: DIR/summary.json, which `attest
/// check
/// --training` judges statements by and `attest results --add` ships. Prints the means. Returns the exit code.
/// Errors: std::invalid_argument without a data set's name, for one that is not of images, for fewer than 2 runs and as
/// run_blocks; data::MissingData, reports::IoError.
int measure_blocks(const measure::MeasureOptions& options, std::int64_t runs, const std::filesystem::path& directory);

}  // namespace attest::commands
