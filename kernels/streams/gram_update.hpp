// Products of a block of rows with itself, compiled for several sets of instructions and chosen at run time.
#pragma once

#include <cstddef>

namespace attest::streams {

/// gram[j * stride + k] += sum_i rows[i * stride + j] rows[i * stride + k] for k <= j (and some k > j beside the
/// diagonal, which hold their sums as well), i = 0, ..., count - 1: each entry is one chain of fused multiply-adds in
/// the order of i, so that the bits do not depend on the registers. `stride`: a multiple of 16.
using GramUpdate = void (*)(const double* rows, std::size_t count, std::size_t stride, double* gram);

/// The best one that this processor has.
GramUpdate gram_update();

/// The one for the baseline that the project is compiled for.
void gram_update_baseline(const double* rows, std::size_t count, std::size_t stride, double* gram);

/// To be run only on machines with AVX-512 F, VL, BW, DQ and CD; present in builds for x86-64.
void gram_update_avx512(const double* rows, std::size_t count, std::size_t stride, double* gram);

}  // namespace attest::streams
