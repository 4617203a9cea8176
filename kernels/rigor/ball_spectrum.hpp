// Eigenvalues and eigenvectors of a real matrix, enclosed (acb_mat, part of FLINT 3).
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

/// A = right diag(values) left with left right = I, N x N row-major: columns of `right` and rows of `left` are
/// biorthogonal eigenvectors.
struct BallEigendecomposition {
  std::vector<ComplexBall> values;
  std::vector<ComplexBall> right;
  std::vector<ComplexBall> left;
};

/// The eigendecomposition of A where the balls prove that its eigenvalues are distinct; empty otherwise (a multiple
/// eigenvalue, or too little precision). Errors: std::invalid_argument unless A is square.
std::optional<BallEigendecomposition> eigendecomposition(const BallMatrix& a);

}  // namespace attest::rigor
