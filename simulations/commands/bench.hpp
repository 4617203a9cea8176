// attest bench: the judge of statements, judged.
#pragma once

#include <cstdint>
#include <string>

namespace attest::commands {

struct BenchOptions {
  std::string table;  ///< a table of known truths (.tsv); the built-in ones when empty
  std::string only;   ///< only ids that contain this
  std::string budget = "standard";
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;  ///< how many, from `seed` on
  unsigned threads = 0;
  bool to_json = false;
  std::string json_file;
};

/// Judges every statement of the table and prints right, undecided and wrong, the score and the time for each. Returns
/// 1 where any was wrong, 130 where it was interrupted, else 0. Errors: std::invalid_argument for a table that cannot
/// be read, naming its line; reports::IoError.
int bench(const BenchOptions& options);

}  // namespace attest::commands
