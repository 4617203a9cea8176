// What a judgement without findings would have found.
#pragma once

#include <string>
#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// The smallest planted error that the judged cases would have shown.
struct Caught {
  std::string what = {};  ///< "one entry of out, float64", or a class of finding
  bool of_entry = false;  ///< the first of these
  /// Relative error of an entry, or for a class the least error over bound in the case that shows it best.
  double least = 0;
  int cases = 0;  ///< in how many cases
};

/// For each element type and output the least relative error of one entry that some case would have shown, and for each
/// class of the hypotheses the number of judged cases whose answers would have differed beyond the bounds, with the
/// least error over bound that such an implementation would have shown in the case that shows it best. Computed from
/// the judged cases, hypotheses on the small ones.
std::vector<Caught> would_have_caught(const std::vector<Record>& records, const TrialSettings& settings);

}  // namespace attest::judge
