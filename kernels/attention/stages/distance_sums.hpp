// Sums over tokens weighted by their distance: a linear position bias after a projection along the tokens.
#pragma once

#include <span>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// y(i, r) = sum_n |i - n| x(n, r) for i = 0..rows-1, from x [N][columns] row by row, with N = x.size()/columns: in
/// O((N + rows) columns), by running sums. Its own adjoint: the gradient of sum(y dy) is distance_sums(dy, columns, N).
/// Precondition: columns is above 0 and divides x.size().
std::vector<double> distance_sums(std::span<const double> x, Index columns, Index rows);

}  // namespace attest::attention
