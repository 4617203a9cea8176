// How large the change is that makes a near-miss of a statement, where the two texts tell.
#pragma once

#include <string_view>

namespace attest::ledger {

/// |b/a - 1| where the changed text has the number b in the place of a, the largest where it has several; |b - 1| where
/// it has one factor or divisor b more; at most 1. Otherwise, and where no number has a size, 1: an exponent that was
/// not there, another formula, a turned relation.
double measured_change(std::string_view text, std::string_view changed);

}  // namespace attest::ledger
