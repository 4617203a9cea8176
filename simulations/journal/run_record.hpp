// DIR/run.db: every number that a training reports, and which of its runs are finished.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulations/journal/database.hpp"

namespace attest::journal {

/// A number of a run at one of its steps.
struct Measurement {
  std::int64_t step = 0;
  std::string metric;
  double value = 0;
};

/// The same with the run that it is of.
struct RunMeasurement {
  std::string variant;
  std::uint64_t seed = 0;
  Measurement measurement;
};

/// What went wrong in a run at one of its steps, in one sentence.
struct RunWarning {
  std::string variant;
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  std::string sentence;
};

using Results = std::map<std::string, double>;

/// Variants with seeds.
using FinishedRuns = std::set<std::pair<std::string, std::uint64_t>>;

/// One run is a variant with a seed. Tables: experiment (what the folder belongs to), metrics (variant, seed, step,
/// metric, value), results (variant, seed, metric, value: only of finished runs), programs and warnings, where there
/// are any. Safe to use from several threads. Errors of all functions: those of Database.
class RunRecord {
 public:
  /// Opens or makes DIR/run.db. Errors: also std::invalid_argument when it holds runs although `resume` was not asked
  /// for, or is of another experiment than `canonical` describes.
  RunRecord(const std::filesystem::path& directory, const std::string& canonical, bool resume);

  /// What a finished run gave; empty when it is not finished.
  Results results(const std::string& variant, std::uint64_t seed);
  /// Adds measurements; those that are there already at a step are replaced.
  void add(const std::string& variant, std::uint64_t seed, const std::vector<Measurement>& measurements);
  /// Forgets what a run that goes on from `step` will measure or warn of again.
  void forget_after(const std::string& variant, std::uint64_t seed, std::int64_t step);
  /// All measurements, by variant, seed, step and metric.
  std::vector<RunMeasurement> measurements();
  void finish(const std::string& variant, std::uint64_t seed, const Results& results);
  /// All runs that are finished.
  FinishedRuns finished();
  void warn(const RunWarning& warning);
  /// All warnings, by variant, seed and step.
  std::vector<RunWarning> warnings();
  /// That a program built from this commit trained some of the runs; and which did, in the order of their names.
  void note_program(const std::string& commit);
  std::vector<std::string> programs();
  /// Adds everything that another record holds; what both hold is the other's afterwards.
  void take_from(RunRecord& other);

 private:
  bool has_table(const char* name);
  void make_warnings();

  std::mutex mutex_;
  Database database_;
};

}  // namespace attest::journal
