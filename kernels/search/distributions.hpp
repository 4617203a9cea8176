// The families of random points that the adversarial search draws from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/random/stream.hpp"
#include "kernels/search/best_points.hpp"

namespace attest::search {

/// Families of distributions over a box. Each draws its own scale first, over several decades, so that no single
/// guess of the right magnitude is needed.
enum class Family {
  uniform_box,      ///< uniform in the box
  log_magnitude,    ///< magnitude log-uniform about zero, from 1e-8 of the box's largest bound, sign fair
  gaussian_centre,  ///< normal about the middle of the box
  sparse,           ///< a few coordinates uniform, the others zero
  near_boundary,    ///< every coordinate close to one of its two bounds
  nearly_constant,  ///< one common value plus small normal noise
  two_valued,       ///< every coordinate one of two values drawn once
};
inline constexpr int family_count = 7;

/// A point of the box drawn from `family`; coordinates that fall outside are clamped to the bound.
std::vector<double> random_point(Family family, std::span<const double> lower, std::span<const double> upper,
                                 random::Stream& stream);

/// A variation of one of `best` (not empty): a step along the difference of two others, or normal steps, of 1e-6 to 1
/// of the box's width, in some or all coordinates, at times after some coordinates were pushed to their bounds.
std::vector<double> random_point_near(const std::vector<Candidate>& best, std::span<const double> lower,
                                      std::span<const double> upper, random::Stream& stream);

}  // namespace attest::search
