// The integrals of Twicing, Section 3.3 and Appendix A.1, as enclosures.
#pragma once

#include <cstdint>

#include "kernels/rigor/ball.hpp"

namespace attest::twicing {

/// kappa_n(x) = 1 / (n + 1), n >= 0.
rigor::Ball capacity_of_identity(const rigor::Ball& n);

/// kappa_n(2x - x^2) as 4^n Gamma(n + 1)^2 / Gamma(2n + 2) (Eq 21), by logarithms: any n >= 0.
rigor::Ball capacity_of_twicing(const rigor::Ball& n);

/// kappa_n(2x - x^2) = sqrt(pi) Gamma(n + 1) / (2 Gamma(n + 3/2)), which the duplication formula makes of Eq 21.
rigor::Ball capacity_of_twicing_by_duplication(const rigor::Ball& n);

/// int_0^1 x^n (1 - x)^s dx and int_0^1 (2x - x^2)^n (1 - x)^s dx: the capacities under a density that vanishes (s >
/// 0), is positive (s = 0) or diverges (-1 < s < 0) at the eigenvalue 1.
rigor::Ball weighted_capacity_of_identity(const rigor::Ball& n, const rigor::Ball& s);
rigor::Ball weighted_capacity_of_twicing(const rigor::Ball& n, const rigor::Ball& s);

/// n! as an exact number.
rigor::Ball factorial(std::int64_t n);

/// (2n + 1)! int_0^1 (2x - x^2)^n dx, an integer, by expanding the n-th power: exact.
rigor::Ball scaled_capacity_by_expansion(std::int64_t n);

/// Bits that hold every integer of these expansions for n <= 40: (2n + 1)! 8^n is below 2^600.
inline constexpr int expansion_bits = 1024;
inline constexpr std::int64_t largest_expanded_power = 40;

}  // namespace attest::twicing
