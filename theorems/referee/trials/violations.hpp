// Violations that trials met: confirmed in balls, left open, made clear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::referee {

/// What a search for a violation came to.
struct Violation {
  std::size_t trial = 0;
  std::vector<double> raw;
  double margin = 0;  ///< relative, negative
};

/// Candidates of all trials whose violation balls (or confidence sequences) confirm, the largest violation first;
/// at most `most` of them are looked at in each trial.
std::vector<Violation> confirmed_violations(std::vector<Trial>& trials, const engine::Context& context,
                                            std::size_t most);

/// What a mechanism of the library does otherwise than its definition, at a few points of each trial; empty for
/// nothing.
std::optional<std::string> fault_of_library(const std::vector<Trial>& trials, const engine::Context& context);

/// What leaves a violation in doubles open, from which nothing can be concluded: a condition that holds only up to
/// rounding, or sides with a mechanism that balls do not know.
enum class OpenViolation : std::uint8_t { none, condition, side };
OpenViolation open_violation(const std::vector<Trial>& trials, const engine::Context& context);

/// The clearest of them: the smallest choices with at least half of the largest violation, numbers made short.
Violation clearest(const std::vector<Trial>& trials, const std::vector<Violation>& violations);

}  // namespace attest::referee
