// Statements of whole and finite variables alone, case by case.
#pragma once

#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/points/sizes.hpp"
#include "theorems/referee/protocols/trials.hpp"

namespace attest::referee {

/// Whether all choices are among the trials and no real variable is left but random ones.
bool enumerated(const Sizes& sizes, const std::vector<Trial>& trials);

struct Enumeration {
  bool all_hold = true;          ///< of the cases that no condition excludes
  bool some_admissible = false;  ///< there is such a case
};

/// Every trial in balls of 512 bits, or by algebra where balls cannot tell its sides apart. Precondition:
/// `enumerated`. Errors: engine::Interrupted.
Enumeration enumerate(const std::vector<Trial>& trials, const engine::Context& context);

}  // namespace attest::referee
