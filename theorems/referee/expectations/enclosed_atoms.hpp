// Expectations over random numbers of two values: sums over all cases.
#pragma once

#include <span>
#include <vector>

#include "theorems/language/program.hpp"

namespace attest::referee {

/// Every expectation of the program at these raw numbers, in balls. Precondition: all laws are rademacher or bernoulli,
/// of at most 12 numbers.
std::vector<rigor::Ball> enclosed_atoms(const language::Program& program, std::span<const double> raw);

}  // namespace attest::referee
