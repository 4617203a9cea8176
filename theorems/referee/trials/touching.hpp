// Where the sides of a strict relation may be equal: a search in doubles never lands on sqrt 2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/trials/trials.hpp"
#include "theorems/referee/trials/violations.hpp"

namespace attest::referee {

/// Violations at short numbers near the tightest points: what fails at x = 1/4 alone is met by rounding.
std::vector<Violation> rounded_violations(const std::vector<Trial>& trials, const engine::Context& context);

/// "x = 1.4142135623730951": a point at, or next to, which the sides of a strict relation of the claim cannot be told
/// from equal ones: a closed end of the domain where balls leave them open, or an isolated least value of their
/// difference below 1e-9 of what it is 1 percent away along every coordinate. Nothing for expectations.
std::optional<std::string> point_of_touching(const std::vector<Trial>& trials, const engine::Context& context);

}  // namespace attest::referee
