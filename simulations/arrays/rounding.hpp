// Arrays of floating-point numbers in another type, each entry rounded once.
#pragma once

#include "simulations/arrays/array.hpp"

namespace attest::arrays {

/// 2^-11 for float16, 2^-8 for bfloat16, 2^-24 and 2^-53: the largest relative error of one rounding to nearest.
/// Precondition: is_floating(type).
double unit_roundoff(ElementType type);

/// The nearest number of this type, ties to even, subnormal numbers included; infinity where x is beyond it.
/// Precondition: is_floating(type).
double rounded(double x, ElementType type);

/// The array in another type, each entry rounded once. Errors: std::invalid_argument when it holds no floating-point
/// numbers.
Array rounded(const Array& array, ElementType type);

}  // namespace attest::arrays
