// The floating-point types of arrays: their ranges, and rounding to them, once for each number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulations/arrays/array.hpp"

namespace attest::arrays {

/// 2^-11 for float16, 2^-8 for bfloat16, 2^-24 and 2^-53: the largest relative error of one rounding to nearest.
/// Precondition: is_floating(type).
double unit_roundoff(ElementType type);

/// The largest finite number. Precondition: is_floating(type).
double largest_finite(ElementType type);

/// The least positive number that results must keep: the least normal one, for kernels flush smaller ones to 0
/// (Triton's and CUDA's fast exponentials, -ffast-math); of float16, in which there is no arithmetic to flush, the
/// least subnormal. Precondition: is_floating(type).
double least_kept(ElementType type);

/// The nearest number of this type, ties to even, subnormal numbers included; infinity where x is beyond it.
/// Precondition: is_floating(type).
double rounded(double x, ElementType type);

/// The array of these entries, each rounded once. Precondition: as many values as the shape says; is_floating(type).
Array array_in(ElementType type, std::vector<std::int64_t> shape, std::span<const double> values);

/// The array in another type, each entry rounded once. Errors: std::invalid_argument when it holds no floating-point
/// numbers.
Array rounded(const Array& array, ElementType type);

}  // namespace attest::arrays
