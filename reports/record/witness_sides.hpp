// The two sides of a witness in as few digits as tell them apart.
#pragma once

#include <string>

#include "reports/record/results.hpp"

namespace attest::reports {

/// Left and right side for reading: of an enclosure [m +/- r] the number m, of an interval [a, b] both ends, with four
/// digits, or as many more, up to 17, as it takes for the sides to differ; as stored where that does not do.
struct Sides {
  std::string left, right;
};

Sides readable_sides(const Witness& witness);

/// How the statement says that the sides stand to each other ("≤"), and how they do where it fails (">"; "≠" for a
/// relation that is not known).
std::string claimed_relation(const Witness& witness);
std::string contradicted_relation(const Witness& witness);

}  // namespace attest::reports
