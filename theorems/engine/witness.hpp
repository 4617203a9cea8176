// What contradicts (or, for an existence claim, establishes) a statement, stored so that it can be evaluated again
// alone.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/rigor/relation.hpp"
#include "theorems/engine/inputs.hpp"

namespace attest::engine {

using rigor::Relation;

/// Deterministic: the stored inputs violate the statement in ball arithmetic.
/// Stochastic: a confidence sequence at error level `alpha`, drawn under `seed`, excludes the claim.
enum class WitnessKind { deterministic, stochastic };

/// A stored counterexample. `neighbour` is "printed" for the statement itself, else the near-miss it refutes.
struct Witness {
  std::string claim;
  std::string neighbour = "printed";
  std::string part = {};  ///< the part of a statement with several, empty for none
  WitnessKind kind = WitnessKind::deterministic;
  Inputs inputs;
  Relation relation = Relation::less_equal;
  std::string lhs, rhs, margin;  ///< decimal enclosures for reading; the inputs alone are the evidence
  int precision_bits = 0;        ///< deterministic: precision of the ball arithmetic that confirmed it
  std::uint64_t seed = 0;        ///< stochastic: seed of the run that found it
  double effort = 1;             ///< stochastic: effort of the run that found it
  double alpha = 0;              ///< stochastic: error level of the confidence sequence
};

/// Outcome of evaluating a witness again.
struct Replay {
  std::string lhs, rhs, margin;
  Relation relation = Relation::less_equal;
  bool assumptions_hold = false;  ///< certainly (deterministic) or by construction (stochastic)
  bool confirmed = false;         ///< the statement is contradicted (an existence claim: established)
  int precision_bits = 0;
  std::string how;  ///< one sentence: what was computed
};

}  // namespace attest::engine
