// From failures to findings: what is wrong, in as few causes as explain it.
#pragma once

#include <string>
#include <vector>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// One cause.
struct Finding {
  Fault fault;                           ///< short and fixed, fault::causal_mask_aligned_to_the_wrong_corner
  Property property = Property::values;  ///< what was asked of the target where it shows best
  double ratio = 0;                      ///< error over bound there; infinity where a number is missing
  CaseSpec spec;                         ///< the case
  std::string output;                    ///< the result that it shows in; empty: the call as a whole
  std::string message;                   ///< the numbers, and what the implementation seems to do
  int cases = 1;                         ///< how many failed of this cause
  bool guessed = false;                  ///< by what failing cases have in common
};

/// Gives every failure of the records a class and merges those of one cause. Failures whose property does not name the
/// class are explained, in this order: by what is special about the rows that fail (empty rows, huge logits), by the
/// hypothesis that reproduces the answers within its own bounds, by the bounds of a narrower type, by weights read off
/// through V = identity, and by what the failing cases have in common and the others have not. May put further calls to
/// the target. Findings are in order of the cases.
std::vector<Finding> diagnose(std::vector<Record>& records, Target& target, const TrialSettings& settings);

}  // namespace attest::judge
