// The streamed operations for AVX-512, present in builds for x86-64.
#pragma once

#include "kernels/streams/operations.hpp"

namespace attest::streams {

/// To be run only on machines with the x86-64-v4 instructions (AVX-512 F, VL, BW, DQ, CD).
template <typename T>
const Operations<T>& operations_avx512();
template <>
const Operations<float>& operations_avx512();
template <>
const Operations<double>& operations_avx512();

}  // namespace attest::streams
