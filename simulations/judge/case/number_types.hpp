// The floating-point types of arrays: their unit roundoffs, and rounding to them.
#pragma once

#include <span>

#include "simulations/arrays/array.hpp"

namespace attest::judge {

/// Half the distance from 1 to the next number: 2^-53, 2^-24, 2^-11, 2^-8.
double unit_roundoff(arrays::ElementType type);
/// The least positive number that results must keep: the least normal one, for kernels flush smaller ones to 0
/// (Triton's and CUDA's fast exponentials, -ffast-math); of float16, in which there is no arithmetic to flush, the
/// least subnormal.
double least_kept(arrays::ElementType type);
/// The largest finite number.
double largest_finite(arrays::ElementType type);

/// x to nearest, ties to even, in one rounding; beyond the range infinity. NaN and infinities stay.
double rounded_to(arrays::ElementType type, double x);

/// The array of these entries, each rounded once. Precondition: as many values as the shape says; a floating type.
arrays::Array array_in(arrays::ElementType type, std::vector<std::int64_t> shape, std::span<const double> values);

}  // namespace attest::judge
