// attest data: what data sets are there, what a file holds, and fetching them.
#pragma once

#include <filesystem>
#include <string>

namespace attest::commands {

/// Prints the catalogue of data sets. Returns the exit code.
int list_data_sets(const std::filesystem::path& data_dir, bool json);

/// Prints what a data set or file holds. Returns the exit code. Errors: data::MissingData.
int describe_data_set(const std::string& name, const std::filesystem::path& data_dir, bool json);

/// Fetches what the data set's documented addresses hold into its folder below `data_dir`, else below ATTEST_DATA, else
/// below `data::own_data_folder`, and prints each file, its sha256 and how to unpack it. `mirror`: an address to
/// take the same file names from instead; empty for the documented ones. Returns the exit code. Errors:
/// data::MissingData when the name is unknown, has no address, or no folder is named; std::runtime_error of
/// data::fetch_file.
int fetch_data_set(const std::string& name, const std::filesystem::path& data_dir, const std::string& mirror,
                   bool json);

}  // namespace attest::commands
