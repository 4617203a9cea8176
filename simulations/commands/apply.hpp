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
  bool lse = false;
  std::filesystem::path expected;  ///< the caller's own results, to compare with
  std::string layout = "bhnd";
  std::string type = "float64";
  std::string device = "cpu";
  unsigned threads = 0;
};

/// Reads, evaluates, writes and compares, and prints what was written and how far the caller's results are from ours.
/// Returns the exit code: 1 when one of the caller's entries lies outside its tolerance. Errors: std::invalid_argument
/// for wrong usage or input, DeviceError, reports::IoError when the output cannot be written.
int apply(const ApplyOptions& options);

}  // namespace attest::commands
