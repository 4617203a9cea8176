// Proof or disproof of an inequality on a box by interval branch and bound.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/rigor/ball.hpp"

namespace attest::rigor {

/// The closed interval [lower, upper] of reals; both ends are doubles.
struct Interval {
  double lower = 0;
  double upper = 0;
};

/// A function on boxes: given balls for its arguments, encloses its values at all points in them.
using BallFunction = std::function<Ball(std::span<const Ball>)>;

enum class CertificationStatus : std::uint8_t { certified, violated, undecided };

/// "certified", "violated" or "undecided".
std::string_view name(CertificationStatus status);

struct Certification {
  CertificationStatus status = CertificationStatus::undecided;
  /// Boxes on which the function was enclosed.
  std::int64_t boxes_examined = 0;
  /// Where violated: a point, with as few decimal digits as we found possible, at which the function is certainly
  /// negative; the doubles are the point exactly.
  std::vector<double> point;
  /// Where violated: the enclosure of the function at `point`, all of it below 0.
  Ball value;
  /// Where undecided: the number of boxes neither proved nor disproved, and the part of the domain's volume that they
  /// fill (dimensions of zero width do not count).
  std::int64_t boxes_remaining = 0;
  double undecided_volume_fraction = 0;
};

/// Decides f >= 0 on the box, examining at most `max_boxes` boxes; breadth first, so that what is left undecided is
/// spread as thin as the budget allows. `violated` means that f is certainly negative at one point; `certified` that
/// the boxes with f certainly >= 0 cover the domain. A box on which f is not finite counts as undecided and is split
/// further; a zero of f that f does not show to be one-sided (an expanded square, a minimum of 0) stays undecided at
/// any budget. Deterministic. Throws std::invalid_argument for an empty box, for an interval that is not finite or
/// whose ends are out of order, and for max_boxes < 1.
Certification certify_nonnegative(const BallFunction& f, const std::vector<Interval>& box, std::int64_t max_boxes);

}  // namespace attest::rigor
