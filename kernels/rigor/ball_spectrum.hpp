// Eigenvalues of a real matrix, enclosed (acb_mat, part of FLINT 3).
#pragma once

#include <optional>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::rigor {

/// An enclosure of a complex number: a rectangle.
struct ComplexBall {
  Ball real;
  Ball imaginary;
};

ComplexBall operator+(const ComplexBall& a, const ComplexBall& b);
ComplexBall operator-(const ComplexBall& a, const ComplexBall& b);
ComplexBall operator*(const ComplexBall& a, const ComplexBall& b);
/// sqrt(real^2 + imaginary^2).
Ball modulus(const ComplexBall& z);

/// All N eigenvalues of A with multiplicity, each enclosed, for every matrix in the ball matrix; eigenvalues that are
/// multiple, or that the precision does not separate, share one enclosure, repeated. By decreasing modulus of the
/// midpoints. Empty where no finite enclosure was found at the thread's precision, which is always so for a defective
/// matrix. Errors: std::invalid_argument unless A is square.
std::optional<std::vector<ComplexBall>> eigenvalues(const BallMatrix& a);

}  // namespace attest::rigor
