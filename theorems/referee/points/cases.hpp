// Cases of whole numbers alone: more of them than can be judged one by one are looked at in doubles first.
#pragma once

#include <cstddef>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/tree.hpp"

namespace attest::referee {

/// The `most` cases with the least relative margin among those that meet the conditions in doubles, the least first.
/// Cases at which the statement means nothing are left out. Precondition: the statement's variables are all chosen.
std::vector<language::Choices> tightest_cases(const language::Statement& statement,
                                              const std::vector<language::Choices>& cases, std::size_t most,
                                              const engine::Context& context);

/// Cases that local searches from `starts` end at: one whole variable moves at a time, by powers of two that shrink.
std::vector<language::Choices> descended_cases(const language::Statement& statement,
                                               const std::vector<language::Choices>& starts,
                                               const engine::Context& context);

}  // namespace attest::referee
