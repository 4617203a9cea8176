#include "theorems/referee/known_truths/bench.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "theorems/language/problem.hpp"

namespace attest::referee {
namespace {

void score_constant(const Outcome& outcome, BenchRow& row) {
  const double sharp = *row.known.sharp;
  const BestConstant& best = *outcome.best;
  row.gap = std::abs(best.not_refuted - sharp) / std::max(std::abs(sharp), 1e-300);
  row.remark = fmt::format("gap {:.1e}", row.gap);
  // A demand beyond the sharp constant, confirmed in balls, or a proof that less is enough, contradicts what is known.
  const double beyond = (best.smallest ? best.found - sharp : sharp - best.found) / std::max(std::abs(sharp), 1e-300);
  const double short_of =
      (best.smallest ? sharp - best.not_refuted : best.not_refuted - sharp) / std::max(std::abs(sharp), 1e-300);
  if (beyond > 1e-9 || (best.certified && short_of > 1e-9)) {
    row.score = Score::wrong;
  } else {
    row.score = row.gap <= sharp_gap ? Score::right : Score::undecided;
  }
}

std::string_view word(Score score) {
  return score == Score::right ? "right" : score == Score::wrong ? "wrong" : "undecided";
}

}  // namespace

std::size_t BenchResult::count(Score score) const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const BenchRow& row) { return row.score == score; }));
}

long BenchResult::points() const {
  return 10 * static_cast<long>(count(Score::right)) - 150 * static_cast<long>(count(Score::wrong));
}

double BenchResult::seconds_at(double quantile) const {
  if (rows.empty()) return 0;
  std::vector<double> seconds;
  for (const BenchRow& row : rows) seconds.push_back(row.seconds);
  std::sort(seconds.begin(), seconds.end());
  const auto rank = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(seconds.size())));
  return seconds[std::min(seconds.size(), std::max<std::size_t>(1, rank)) - 1];
}

BenchResult bench(const std::vector<KnownTruth>& truths, const JudgeOptions& options,
                  const std::function<void(const BenchRow&)>& progress) {
  BenchResult result;
  for (const KnownTruth& known : truths) {
    BenchRow row{.known = known, .verdict = {}, .remark = {}};
    try {
      const Outcome outcome = judge(known.statement, options);
      row.verdict = engine::name(outcome.verdict);
      row.seconds = outcome.seconds;
      const bool refuted = outcome.verdict == engine::Verdict::refuted;
      if (known.sharp && outcome.best && outcome.stands() && known.truth) {
        score_constant(outcome, row);
      } else if (outcome.stands() || refuted) {
        row.score = outcome.stands() == known.truth ? Score::right : Score::wrong;
        if (row.score == Score::wrong) row.remark = outcome.reason;
      } else {
        row.remark = outcome.reason;
      }
    } catch (const language::Problem& problem) {
      row.verdict = "unreadable";
      row.remark = problem.what();
    }
    progress(row);
    result.rows.push_back(std::move(row));
  }
  return result;
}

nlohmann::ordered_json to_json(const BenchResult& result) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const BenchRow& row : result.rows) {
    nlohmann::ordered_json entry{{"id", row.known.id},       {"statement", row.known.statement},
                                 {"truth", row.known.truth}, {"verdict", row.verdict},
                                 {"score", word(row.score)}, {"seconds", row.seconds}};
    if (row.gap >= 0) entry["gap"] = row.gap;
    if (!row.remark.empty()) entry["remark"] = row.remark;
    rows.push_back(std::move(entry));
  }
  return {{"statements", result.rows.size()},
          {"right", result.count(Score::right)},
          {"undecided", result.count(Score::undecided)},
          {"wrong", result.count(Score::wrong)},
          {"score", result.points()},
          {"seconds_median", result.seconds_at(0.5)},
          {"seconds_95", result.seconds_at(0.95)},
          {"rows", rows}};
}

}  // namespace attest::referee
