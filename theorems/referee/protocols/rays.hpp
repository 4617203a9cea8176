// Following a demanding point outwards, to where suprema that are not attained lie.
#pragma once

#include <vector>

#include "theorems/referee/search/landscape.hpp"

namespace attest::referee {

/// A demand as a search knows it: slack = -constant for the smallest, +constant for the largest; 1e300 where there is
/// none.
double slack_at(Landscape& landscape, const std::vector<double>& raw);

/// Where a point was followed to.
struct Followed {
  std::vector<double> point;
  bool to_the_end = false;  ///< many steps in one direction: the demand still grew far out
};

/// Follows a point as long as its demand grows: all variables or single ones scaled down and up, and variables of one
/// shape drawn together or apart.
Followed follow_rays(Landscape& landscape, std::vector<double> point);

}  // namespace attest::referee
