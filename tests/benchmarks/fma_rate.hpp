// How many single-precision operations a core can do: the floor that kernels are measured against.
#pragma once

#include <cstdint>

namespace attest {

/// Runs `steps` fused multiply-adds in each of 16 independent chains of the widest registers; the result only keeps the
/// compiler from leaving them out.
float fma_chains(std::int64_t steps);

/// Multiplications and additions that fma_chains(steps) does.
double fma_flops(std::int64_t steps);

}  // namespace attest
