// Sizes beside those that are searched: a short look at each, so that none is passed by altogether.
#pragma once

#include "theorems/engine/context.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/points/sizes.hpp"

namespace attest::referee {

/// Looks at choices that `sizes` lacks (see `untried_choices`; at most 256) with some fifty points each, as far as
/// `flops` operations go, and adds those three to `sizes` that come nearest to a violation relative to their terms.
/// Nothing for a statement with random variables, whose points are integrals, or without an array or number to search.
/// A pure function of its arguments. Errors: engine::Interrupted.
void add_tight_sizes(const language::Statement& statement, const engine::Context& context, double flops, Sizes& sizes);

}  // namespace attest::referee
