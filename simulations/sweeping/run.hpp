// A sweep from its points to the journal, on the threads and ranks there are.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "simulations/journal/ranks.hpp"
#include "simulations/sweeping/journal.hpp"
#include "simulations/sweeping/point.hpp"
#include "simulations/sweeping/spec.hpp"

namespace attest::sweeps {

/// How a sweep is run. Nothing here changes what a point gives.
struct RunOptions {
  std::filesystem::path directory;            ///< of run.db, points.csv, points.json
  bool resume = false;                        ///< continue what run.db holds
  std::vector<std::filesystem::path> merged;  ///< directories of other runs whose finished points are taken first
  unsigned threads = 0;                       ///< a rank; 0: one per core
};

/// How far it came.
struct RunEnd {
  std::uint64_t points = 0;  ///< of this sweep (or shard)
  std::uint64_t taken = 0;   ///< found in the journal or in merged runs
  std::uint64_t computed = 0;
  bool complete() const { return taken + computed == points; }
};

/// Called after every point with how many are computed of those that were to be, and the last one.
using OnProgress = std::function<void(std::uint64_t done, std::uint64_t total, const std::string& last)>;

/// The points of shard `index` of `count` (1-based): every count-th one.
std::vector<Point> shard_of(std::vector<Point> points, std::uint64_t index, std::uint64_t count);

/// Evaluates what is not finished and journals it. Rank 0 alone touches files; the others compute and send. Returns
/// when everything is finished or `stop` became true on some rank, in both cases with everything finished in the
/// journal. Only rank 0's result says how far it came; `on_progress` is called there alone.
/// Errors: those of Journal; std::invalid_argument or std::runtime_error for a point that failed, with its parameters,
/// after everything finished was journalled. Of several ranks only rank 0 throws.
RunEnd run_points(const Spec& spec, const std::vector<Point>& points, const RunOptions& options, journal::Ranks& ranks,
                  const std::atomic<bool>& stop, const OnProgress& on_progress);

}  // namespace attest::sweeps
