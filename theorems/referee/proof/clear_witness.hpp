// A witness made clear, not small: short numbers, with at least half of the violation kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "theorems/language/program.hpp"

namespace attest::referee {

/// Rounds the numbers of `raw` to few decimal digits, sets entries to 0, and equals neighbours, only while
/// `good_enough` holds at the result (violation kept, confirmed, assumptions verified). At most `most` calls of the
/// predicate. Deterministic. Precondition: good_enough(raw).
std::vector<double> clear_witness(const language::Program& program, std::vector<double> raw,
                                  const std::function<bool(std::span<const double>)>& good_enough, std::int64_t most);

/// `value` rounded to `digits` significant decimal digits (nearest double to that decimal).
double round_to_decimals(double value, int digits);

}  // namespace attest::referee
