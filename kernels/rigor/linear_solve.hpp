// Linear systems and definiteness in ball arithmetic (arb_mat, part of FLINT 3).
#pragma once

#include <optional>
#include <span>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::rigor {

/// The x with A x = b for every matrix and right side in the balls; empty where the balls do not prove A invertible at
/// the thread's precision. Errors: std::invalid_argument unless A is square and b has its size.
std::optional<BallVector> solve(const BallMatrix& a, std::span<const Ball> b);

/// The diagonal D of A = L D L' with unit lower triangular L: the squared distances of each basis vector from the span
/// of those before it, when A is a Gram matrix. Empty where the balls do not prove A positive definite. Only the lower
/// triangle is read. Errors: std::invalid_argument unless A is square.
std::optional<BallVector> gram_pivots(const BallMatrix& a);

}  // namespace attest::rigor
