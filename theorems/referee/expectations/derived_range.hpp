// Between which numbers an integrand lies, whatever its random numbers are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/statistics/confidence_sequence.hpp"
#include "theorems/language/program.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"

namespace attest::referee {

/// A range that holds the integrand of the expectation for every value of the random numbers that their laws allow, at
/// these raw numbers: [0, 1] of an event, the enclosure over the laws' bounded ranges, or, where some law has none,
/// what intervals with infinite ends say of sums, products, quotients, powers, norms and the functions that are
/// monotone or bounded (1/(1 + z^2), tanh, softmax). Nothing where an end would be infinite or both are one number.
std::optional<statistics::Range> derived_range(const language::Program& program, std::span<const double> raw,
                                               const language::Expectation& expectation,
                                               const std::vector<RandomNumber>& numbers,
                                               const std::vector<LawAt>& laws);

}  // namespace attest::referee
