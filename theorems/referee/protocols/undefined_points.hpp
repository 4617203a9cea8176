// Points at which a side of a statement is not a number.
#pragma once

#include <vector>

#include "theorems/referee/question/outcome.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::referee {

/// Points that a search met at which a side is not a number. Truly undefined there (not only too large for doubles): a
/// pole is the statement's own fault and thrown as language::Problem with the point; another one is left out, which a
/// remark of the outcome says.
void refuse_undefined(const std::vector<Trial>& trials, Outcome& outcome);

}  // namespace attest::referee
