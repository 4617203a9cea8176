// Equations among the conditions, met by construction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::referee {

/// A statement whose points meet equations by construction, and the names that are defined there instead of bound.
struct MetEquations {
  language::Statement statement;
  std::vector<std::string> names;
};

/// A statement that says the same of the same points, without equations that its points meet by construction: one that
/// is homogeneous (`with_homogeneous_equation_met`), then all that are linear (`with_linear_equations_met`). Conditions
/// that make a set are read as that set first (`with_sets_of_conditions`), unless that leaves equations that can be met
/// in the statement as it is written alone: sum(x) = 0 on a sphere. Nothing where no equation is met, and for a
/// statement with `exists` or `limit`.
std::optional<MetEquations> with_equations_met(const language::Statement& statement);

}  // namespace attest::referee
