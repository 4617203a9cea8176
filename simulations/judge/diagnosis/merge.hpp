// From named failures to findings: one for each cause.
#pragma once

#include <vector>

#include "simulations/judge/diagnosis/diagnose.hpp"

namespace attest::judge {

/// One finding for each class, of its cheapest case, in the order of the cases; findings that follow from another one
/// are left out. Precondition: every failure has a class.
std::vector<Finding> merged(const std::vector<Record>& records);

}  // namespace attest::judge
