// Elementary expressions of a growing number, far beyond what doubles hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/language/tree.hpp"

namespace attest::referee {

/// Both sides at n = exp(exp(k)), by the thread's working precision.
struct FarSample {
  int k = 0;
  rigor::Ball lhs, rhs;
};

/// The sides of the claim, a relation of numbers, at n = exp(exp(k)) for k = 1, ..., 60: there a power of n has overtaken
/// every power of log n, and exp(sqrt(log(n))) too. Only those at which both sides are known to some digits; none where
/// the claim is made of more than arithmetic, powers and functions that are monotone far out, or depends on other
/// variables than `name`: what oscillates, or is meant of whole numbers alone, is something else there.
std::vector<FarSample> far_samples(const language::Statement& statement, const std::string& name);

}  // namespace attest::referee
