// The record of a run: which points are finished, and what they gave.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simulations/journal/database.hpp"
#include "simulations/sweeping/point.hpp"

namespace attest::sweeps {

/// What finished points gave, by their addresses.
using Finished = std::unordered_map<std::string, quantities::Outcomes>;

/// DIR/run.db. Points are added in any order and committed now and then; a point is in the file whole or not at all,
/// and what was not committed at the end is given up.
/// Errors of all functions: those of Database.
class Journal {
 public:
  /// Opens the run of `directory`, which is made when absent. Errors: also std::invalid_argument when the file is there
  /// and holds points although `resume` was not asked for, or is the database of another run.
  Journal(const std::filesystem::path& directory, bool resume);

  /// The outcomes of those of `points` that are finished.
  Finished finished(const quantities::Quantity& quantity, const std::vector<Point>& points);
  /// Adds a finished point; commits when the last commit is long enough ago that writing stays a small share of the
  /// time. A point that is there already stays as it is.
  void add(const quantities::Quantity& quantity, const Point& point, const quantities::Outcomes& outcomes);
  /// Makes everything added so far durable.
  void commit();
  /// Refuses a run that holds other points than `points`, those of a whole sweep. Errors: also std::invalid_argument.
  void require_only(const std::vector<Point>& points);
  /// Adds what the run in another directory has finished of `points`. Errors: also reports::IoError when there is none,
  /// and std::invalid_argument when it has finished points, but none of these.
  std::size_t take_from(const std::filesystem::path& directory, const quantities::Quantity& quantity,
                        const std::vector<Point>& points);

 private:
  std::filesystem::path file_;
  journal::Database database_;
  std::optional<journal::Transaction> open_;
  std::chrono::steady_clock::time_point committed_;
  std::chrono::steady_clock::duration cost_{};  // of the last commit
};

}  // namespace attest::sweeps
