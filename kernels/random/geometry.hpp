// Random points on the sphere and random orthogonal matrices.
#pragma once

#include <span>
#include <vector>

#include "kernels/random/stream.hpp"

namespace attest::random {

/// Fills `out` with a point uniform on the unit sphere of R^n, n = out.size() >= 1. Takes n words (n more for each
/// all-zero Gaussian vector, which does not happen).
void fill_sphere(Stream& stream, std::span<double> out);

/// A random orthogonal n x n matrix from the Haar (uniform) measure, row-major. Rows are orthonormal to about n 2^-52.
/// Takes n^2 words.
std::vector<double> orthogonal_matrix(Stream& stream, int n);

}  // namespace attest::random
