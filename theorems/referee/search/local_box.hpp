// The boxes in which local searches move: about a point, and over the logarithms of positive numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/search/adversarial.hpp"
#include "theorems/referee/points/points.hpp"
#include "theorems/referee/search/landscape.hpp"

namespace attest::referee {

/// A problem without slack: the box about `start`, a few times each variable's own size (a hundred times for every
/// third `rotation`), so that first steps suit its scale. Random and whole numbers and an asked constant stay as they
/// are.
search::Problem local_box(const Landscape& landscape, const Bounds& bounds, const std::vector<double>& start,
                          int rotation);

/// Which raw numbers can be followed by their logarithms: those bounded below by 0 or more whose range spans more than
/// two decades, neither random nor whole, nor an asked constant.
std::vector<std::size_t> positive_numbers(const Landscape& landscape, const Bounds& bounds);

/// The same problem in which the numbers `positive` are replaced by their logarithms, over their box from 1e-6 on (from
/// 1e-6 of its upper end where that is below 1). `from_logarithms` takes its points back.
search::Problem in_logarithms(const search::Problem& problem, const std::vector<std::size_t>& positive);

/// exp of the numbers `positive`, within the box of `problem` (exp(log(b)) may pass b by its rounding).
std::vector<double> from_logarithms(const search::Problem& problem, const std::vector<std::size_t>& positive,
                                    std::vector<double> point);

}  // namespace attest::referee
