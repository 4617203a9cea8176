// What goes wrong in a run while it trains, said once each.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulations/models/model_spec.hpp"

namespace attest::training {

using attention::Index;

/// How a head's queries spread over the keys that they may see: H(row) / log(keys), over rows with two keys or more.
struct HeadEntropy {
  Index layer = 0, head = 0;
  double mean = 0;   ///< 0: every query sees one key alone
  double least = 0;  ///< 1: every row is uniform
};

/// Sees losses and entropies of one run, and says each thing once.
class Watch {
 public:
  /// `of_guessing`: the loss of knowing nothing.
  explicit Watch(double of_guessing) : of_guessing_(of_guessing) {}

  /// After a step. A sentence when the moving average of the losses (a tenth of each new one, after ten of them) first
  /// rises above 3/2 of `of_guessing`: the run diverges.
  std::optional<std::string> see(double loss);

  /// Sentences for heads that are dead: of mean entropy below `one_key`, or with all rows uniform up to `uniform`.
  std::vector<std::string> see(const std::vector<HeadEntropy>& heads);

  static constexpr double one_key = 0.01, uniform = 1e-9;

 private:
  double of_guessing_, mean_ = 0;
  Index seen_ = 0;
  bool diverges_ = false;
  std::set<std::pair<Index, Index>> dead_;
};

}  // namespace attest::training
