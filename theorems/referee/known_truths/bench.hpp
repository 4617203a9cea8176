// The judge judged on statements whose truth is known.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "theorems/referee/judge.hpp"
#include "theorems/referee/known_truths/known_truths.hpp"

namespace attest::referee {

struct BenchRow {
  KnownTruth known;
  Score score = Score::undecided;
  std::string verdict;  ///< or "unreadable"
  std::string remark;   ///< why it is undecided or wrong; the gap of a best constant
  double gap = -1;      ///< |constant - sharp| / |sharp| of a best constant; -1 for the others
  double seconds = 0;
};

struct BenchResult {
  std::vector<BenchRow> rows;
  std::size_t count(Score score) const;
  /// Right +10, undecided 0, wrong -150.
  long points() const;
  /// The share of `quantile` of the statements takes at most this many seconds.
  double seconds_at(double quantile) const;
};

/// The largest relative gap at which a best constant counts as found.
inline constexpr double sharp_gap = 1e-6;

/// Judges every statement. For `best C` statements the constant must be the known one to `sharp_gap`: one that is known
/// to be too small or too large by more is wrong where it was certified, else undecided.
BenchResult bench(const std::vector<KnownTruth>& truths, const JudgeOptions& options,
                  const std::function<void(const BenchRow&)>& progress);

nlohmann::ordered_json to_json(const BenchResult& result);

}  // namespace attest::referee
