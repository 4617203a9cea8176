// The integrals of Twicing, Section 3.3 and Appendix A.1, as enclosures.
#pragma once

#include "kernels/rigor/ball.hpp"

namespace attest::twicing {

/// kappa_n(x) = 1 / (n + 1), n >= 0.
rigor::Ball capacity_of_identity(const rigor::Ball& n);

/// kappa_n(2x - x^2) as 4^n Gamma(n + 1)^2 / Gamma(2n + 2) (Eq 21), by logarithms: any n >= 0.
rigor::Ball capacity_of_twicing(const rigor::Ball& n);

/// int_0^1 x^n (1 - x)^s dx and int_0^1 (2x - x^2)^n (1 - x)^s dx: the capacities under a density that vanishes (s >
/// 0), is positive (s = 0) or diverges (-1 < s < 0) at the eigenvalue 1.
rigor::Ball weighted_capacity_of_identity(const rigor::Ball& n, const rigor::Ball& s);
rigor::Ball weighted_capacity_of_twicing(const rigor::Ball& n, const rigor::Ball& s);

}  // namespace attest::twicing
