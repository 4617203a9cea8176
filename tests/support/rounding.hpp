// The unit in which tests derive what rounding can make of a result.
#pragma once

namespace attest::tests {

/// Largest relative error of one operation in double precision, and in single.
inline constexpr double unit_roundoff = 0x1p-53, single_roundoff = 0x1p-24;

}  // namespace attest::tests
