// The upper tails of the noise laws, their moment generating functions, and draws from a tail alone.
#pragma once

#include "kernels/random/laws.hpp"

namespace attest::random {

/// P(X > x). Relative error below 4e-13, also far out in the tail, down to the least normal double: the two roundings
/// of the argument count x^2 times for gaussian (at most 1410) and sqrt(2) x times for laplace.
double upper_tail(const Law& law, double x);

/// The x with P(X > x) = share, for share in (0, 1) and laws with a density. Relative error of P(X > x) below 1e-12;
/// for uniform, whose doubles x near the end of its support are 2^-53 apart, absolute error below 2^-51. Errors:
/// std::invalid_argument for rademacher and sparse_three_point, which have none.
double upper_quantile(const Law& law, double share);

/// log E exp(s X); infinite where there is none. Relative error below 1e-14, also for small s.
double log_moment_generating(const Law& law, double s);

}  // namespace attest::random
