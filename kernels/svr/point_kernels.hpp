// Kernel matrices of points, by columns computed when they are asked for.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/svr/gram.hpp"

namespace attest::svr {

/// K_ij = exp(-gamma |x_i - x_j|^2) for n points of `dimension` coordinates, row by row; a column costs n (dimension +
/// about 6) multiply-adds. Entries within 2^-50 (dimension + 3) max(1, gamma |x_i - x_j|^2) relatively; the diagonal is
/// exactly 1. Memory: the points and at most `kept_columns` columns.
/// Errors: std::invalid_argument when the count of coordinates is not a positive multiple of the dimension, one is not
/// finite, or gamma is not positive and finite.
Gram gaussian_gram(const std::vector<double>& points, std::size_t dimension, double gamma,
                   std::size_t kept_columns = std::numeric_limits<std::size_t>::max());

}  // namespace attest::svr
