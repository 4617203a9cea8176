// Statements of whole and finite variables alone, case by case.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/points/sizes.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::referee {

/// Whether all choices are among the trials and no real variable is left but random ones.
bool enumerated(const Sizes& sizes, const std::vector<Trial>& trials);

struct Enumeration {
  bool all_hold = true;          ///< of the cases that no condition excludes
  bool some_admissible = false;  ///< there is such a case
};

/// Every trial as `confirm` finds it, or by algebra where balls cannot tell its sides apart. Precondition:
/// `enumerated`. Errors: engine::Interrupted.
Enumeration enumerate(const std::vector<Trial>& trials, const engine::Context& context);

/// What is known of every one of many cases.
struct DecidedCases {
  bool finished = false;                              ///< all were looked at
  std::size_t open = 0;                               ///< cases of which neither balls nor algebra tell
  bool some_admissible = false;                       ///< no condition excludes them all
  std::optional<language::Choices> holding, failing;  ///< the first of each that certainly meets the conditions
};

/// Each case as `enumerate` does, one after another, as far as `flops` operations go. Precondition: the statement's
/// variables are all chosen. The result does not depend on the number of threads. Errors: engine::Interrupted.
DecidedCases decide_cases(const language::Statement& statement, const std::vector<language::Choices>& cases,
                          const engine::Context& context, double flops);

}  // namespace attest::referee
