// attest judge: is an attention implementation right?
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace attest::commands {

struct JudgeOptions {
  std::string target;
  std::string mechanism = "softmax";
  std::vector<std::string> settings;  ///< "key=value"
  std::string python;
  bool torch = false;
  std::vector<std::string> types;
  std::vector<std::string> options;  ///< only these of the contract's
  std::string accumulate = "float32";
  std::string budget = "quick";
  std::uint64_t seed = 1;
  unsigned threads = 0;
  double limit = 10;  ///< seconds per call
  std::filesystem::path out = "out/judge";
  std::filesystem::path case_file;
  std::filesystem::path json, junit, sarif;
  std::filesystem::path emit_cases;
  std::string emit_wrapper;
};

/// Judges and writes what was asked for. Returns 0 without findings, 1 with. Errors: std::invalid_argument for wrong
/// use (a target that cannot be started too), reports::IoError.
int judge(const JudgeOptions& options);

}  // namespace attest::commands
