// Random covariance matrices.
#pragma once

#include <vector>

#include "kernels/random/stream.hpp"

namespace attest::random {

/// A draw of the chi-square law with nu > 0 degrees of freedom, by the method of G. Marsaglia and W. W. Tsang, A simple
/// method for generating gamma variables (2000): two words an attempt, of which at least 95 percent succeed (one word
/// more for nu < 2). The same bits everywhere. Errors: std::invalid_argument unless nu is positive and finite.
double chi_square(Stream& stream, double nu);

/// A draw of the Wishart law with n degrees of freedom and scale matrix I, d x d, row-major: the law of X^T X for n
/// independent standard normal rows of X where n is whole, and defined for every n > d - 1. By M. S. Bartlett's
/// decomposition A A^T (On the theory of statistical regression, 1933): A lower triangular with independent entries,
/// chi of n - i degrees of freedom on the diagonal and standard normals below; O(d^2) draws, O(d^3) operations.
/// W = C W_I C^T has scale C C^T. Errors: std::invalid_argument for d < 1 or n <= d - 1.
std::vector<double> wishart(Stream& stream, int d, double n);

}  // namespace attest::random
