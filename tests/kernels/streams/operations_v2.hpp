// The streamed operations compiled for x86-64-v2: no AVX, no fused multiply-add instruction.
#pragma once

#include "kernels/streams/operations.hpp"

namespace attest::streams {

template <typename T>
const Operations<T>& operations_v2();
template <>
const Operations<float>& operations_v2();
template <>
const Operations<double>& operations_v2();

}  // namespace attest::streams
