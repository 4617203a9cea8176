// Head-specific slopes of linear position biases.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// The slopes of ALiBi ("Train Short, Test Long", Section 3) for H heads, largest first: 2^(-8 h/H), h = 1..H, when H
/// is a power of two; otherwise those of the largest power of two P below H, followed by the odd-numbered ones (h = 1,
/// 3, 5, ...) of 2 P until there are H. Errors: std::invalid_argument for fewer than one head.
std::vector<double> alibi_slopes(Index heads);

}  // namespace attest::attention
