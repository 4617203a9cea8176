// How large the change is that makes a near-miss of a statement, where the two texts tell.
#pragma once

#include <string_view>

namespace attest::ledger {

/// The largest of its parts: |b/a - 1| where the changed text has the number b in the place of a, |b - 1| where it has
/// a factor, divisor (|1/b - 1|) or exponent b more, also before a sum in brackets of its own; at most 1. Otherwise,
/// and where no number has a size, 1: another formula, another term, a turned relation.
double measured_change(std::string_view text, std::string_view changed);

}  // namespace attest::ledger
