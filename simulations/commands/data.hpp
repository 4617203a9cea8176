// attest data: what data sets are there, and what a file holds.
#pragma once

#include <filesystem>
#include <string>

namespace attest::commands {

/// Prints the catalogue of data sets. Returns the exit code.
int list_data_sets(const std::filesystem::path& data_dir, bool json);

/// Prints what a data set or file holds. Returns the exit code. Errors: simulations::MissingData.
int describe_data_set(const std::string& name, const std::filesystem::path& data_dir, bool json);

}  // namespace attest::commands
