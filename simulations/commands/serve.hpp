// attest serve: statements judged as JSON lines.
#pragma once

#include <cstdint>
#include <string>

namespace attest::commands {

struct ServeOptions {
  std::string budget = "standard";  ///< unless a request names its own
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

/// Reads one JSON object per line from standard input, {"id": ..., "statement": "...", "budget": "quick", "seed": 1},
/// and answers each with one line in order: {"id": ..., "exit": 0, ...} as `attest try --json`, or {"id": ..., "exit":
/// 2, "error": "..."} where it cannot be read. A line that is not such an object is answered, never fatal. Returns 0 at
/// the end of the input, 130 where it was interrupted.
int serve(const ServeOptions& options);

}  // namespace attest::commands
