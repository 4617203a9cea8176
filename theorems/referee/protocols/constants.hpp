// The constant that a statement demands: its largest over all points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/question/outcome.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::referee {

/// Searches the point that demands most of `constant`, a variable of the (universal) statement: the smallest constant
/// for which the claim holds everywhere, or the largest where larger ones make the claim harder.
class SupremumSearch {
 public:
  /// `share` of the context's effort is spent. Errors: language::Problem.
  SupremumSearch(const language::Statement& statement, const std::string& constant, const engine::Context& context,
                 double share);

  /// Nothing where no demand could be confirmed.
  std::optional<BestConstant> result() const;
  /// The most demanding point lies far out and demands clearly more than the same point ten times nearer: the demand
  /// ends only where the search does.
  bool grows_without_end() const;
  const Sizes& sizes() const { return sizes_; }
  const std::vector<Trial>& trials() const { return trials_; }
  const std::vector<std::optional<Asked>>& asked() const { return asked_; }

 private:
  void polish(double flops);
  /// Searches one trial further from its best points and follows them out. True where a demand still grew far out.
  bool polish_trial(Trial& trial, const Asked& asked, double flops) const;
  /// The trials with a demand, by their largest.
  std::vector<std::size_t> most_demanding_first() const;
  /// The demand of one trial that balls confirm.
  std::optional<BestConstant> confirmed(std::size_t trial) const;

  engine::Context context_;
  std::string name_;
  Sizes sizes_;
  std::vector<Trial> trials_;
  std::vector<std::optional<Asked>> asked_;
  bool smallest_ = true;
  bool attained_ = true;
  std::size_t best_trial_ = 0;
};

}  // namespace attest::referee
