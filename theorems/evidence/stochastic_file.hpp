// What a stranger needs to repeat an expectation or probability at a point with other random numbers.
#pragma once

#include <cstdint>

#include "theorems/engine/context.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/question/outcome.hpp"

namespace attest::evidence {

/// The level of the intervals that are written: the chance that one misses at any number of samples.
inline constexpr double stochastic_level = 1e-6;
inline constexpr std::int64_t most_stochastic_samples = std::int64_t{1} << 16;

/// At the outcome's witness or tightest point, for each E[...] and P[...] of a statement with `random`: the laws, seed
/// and stream, the number of samples, and the running interval of the mean after 16, 32, 64, ... of them, each valid at
/// every number of samples: for a probability whatever its value, for an expectation as far as large samples are normal
/// ("class"). No document without a point or random variables. Format: evidence-format.md.
/// Errors: engine::Interrupted.
Evidence stochastic_for(const language::Statement& statement, const referee::Outcome& outcome, const Heading& heading,
                        const engine::Context& context);

}  // namespace attest::evidence
