// Known ways to be wrong, each with the class of the finding that it explains.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulations/judge/case/case_spec.hpp"
#include "simulations/judge/reference/semantics.hpp"
#include "simulations/judge/trial/faults.hpp"

namespace attest::judge {

struct Hypothesis {
  Fault fault;
  std::string text;  ///< what the implementation would be doing
  Semantics semantics;
  enum class Of { both, output, gradient } of = Of::both;  ///< which results it speaks of
  std::function<bool(const CaseSpec&)> applies;            ///< whether it makes a difference in a case
};

/// All of them, the most specific first where two explain the same answers.
const std::vector<Hypothesis>& hypotheses();

}  // namespace attest::judge
