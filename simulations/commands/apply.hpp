// attest apply: one attention mechanism on the caller's arrays.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attest::commands {

struct ApplyOptions {
  std::string mechanism;
  std::filesystem::path input, output;
  std::filesystem::path example;      ///< write an example of the input here and do nothing else
  std::vector<std::string> settings;  ///< "key=value"
  bool gradients = false;
  std::string type = "float64";
  std::string device = "cpu";
  unsigned threads = 0;
};

/// Reads, evaluates, writes, and prints what was written. Returns the exit code. Errors: std::invalid_argument for
/// wrong usage or input, DeviceError, reports::IoError when the output cannot be written.
int apply(const ApplyOptions& options);

}  // namespace attest::commands
