// "There is a point at which both sides are equal", by the intermediate value theorem.
#pragma once

#include <optional>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// The two ends of a segment in raw numbers, at which the left side is certainly below and certainly above the right.
struct Crossing {
  std::vector<double> below, above;
};

/// A segment within the sets on which both sides are certainly continuous (balls over its pieces are finite) and change
/// their order. Nothing where none was found, and for claims other than one equation between numbers, without
/// conditions, expectations, whole raw numbers and functions that jump.
std::optional<Crossing> equal_between(const language::Program& program, const engine::Context& context);

}  // namespace attest::referee
