// Statements that only a measurement elsewhere decides: a training run, a data set, published software.
#pragma once

#include <string>

#include "theorems/engine/claim.hpp"

namespace attest::engine {

/// The check of a statement that nothing computed here bears on: its evidence names the comparison that would decide it
/// and why no check does, and the rule makes `undecided` of that and nothing else. Such a claim has no near-misses. A
/// training that answers its questions (theorems/trained_models.cpp) may judge it afterwards.
/// Errors: std::invalid_argument unless both are given.
Check awaits(const std::string& comparison, const std::string& reason);

}  // namespace attest::engine
