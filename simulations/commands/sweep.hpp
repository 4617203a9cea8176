// `attest sweep`: a quantity over a design of its parameters, journalled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest::commands {

/// What the command line said.
struct SweepOptions {
  std::filesystem::path spec;
  std::filesystem::path out;  ///< empty: out/sweeps/<the spec's stem>
  bool resume = false;
  std::string shard;  ///< "2/5"; empty for all
  std::vector<std::filesystem::path> merged;
  unsigned threads = 0;
  std::string device = "cpu";
  std::optional<std::uint64_t> seed;
};

/// Runs the sweep and writes its exports. Returns the exit status. Errors: std::invalid_argument for a bad spec or
/// shard, DeviceError for a device that cannot be used, reports::IoError, and those of the quantity.
int sweep(const SweepOptions& options);

}  // namespace attest::commands
