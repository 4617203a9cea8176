#include "kernels/rigor/certify.hpp"

#include <cmath>
#include <cstdlib>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace attest::rigor {
namespace {

using Box = std::vector<Interval>;

void check(const Box& box, std::int64_t max_boxes) {
  if (box.empty()) throw std::invalid_argument("certify_nonnegative: the box has no dimension, give at least one");
  for (std::size_t i = 0; i < box.size(); ++i) {
    const Interval& side = box[i];
    if (!std::isfinite(side.lower) || !std::isfinite(side.upper) || !(side.lower <= side.upper)) {
      throw std::invalid_argument(fmt::format("certify_nonnegative: side {} is [{}, {}], give finite ends in order", i,
                                              side.lower, side.upper));
    }
  }
  if (max_boxes < 1) {
    throw std::invalid_argument(fmt::format("certify_nonnegative: max_boxes is {}, give at least 1", max_boxes));
  }
}

// A point near the middle with few bits: a multiple of the largest power of two that has one in the middle half. Short
// split points keep the ends of boxes on a coarse grid, where radii are exact, and violations readable.
double short_middle(const Interval& side) {
  const double middle = side.lower + 0.5 * (side.upper - side.lower);
  const double quarter = 0.25 * (side.upper - side.lower);
  if (!(quarter > 0)) return middle;
  const double grid = std::exp2(std::floor(std::log2(quarter)) + 1);
  const double rounded = std::nearbyint(middle / grid) * grid;
  return rounded > side.lower && rounded < side.upper ? rounded : middle;
}

std::optional<Ball> value_if_negative(const BallFunction& f, const std::vector<double>& point) {
  const std::vector<Ball> arguments(point.begin(), point.end());
  Ball value = f(arguments);
  if (!value.is_negative()) return std::nullopt;
  return value;
}

// Replaces a violating point by one with fewer decimal digits in the same domain, if rounding leaves it violating.
void shorten(const BallFunction& f, const Box& domain, Certification& result) {
  for (int digits = 1; digits <= 8; ++digits) {
    std::vector<double> rounded(result.point.size());
    bool inside = true;
    for (std::size_t i = 0; i < rounded.size(); ++i) {
      rounded[i] = std::strtod(fmt::format("{:.{}e}", result.point[i], digits - 1).c_str(), nullptr);
      inside = inside && rounded[i] >= domain[i].lower && rounded[i] <= domain[i].upper;
    }
    if (!inside) continue;
    if (auto value = value_if_negative(f, rounded)) {
      result.point = std::move(rounded);
      result.value = *std::move(value);
      return;
    }
  }
}

double relative_width(const Interval& side, const Interval& whole) {
  return whole.upper > whole.lower ? (side.upper - side.lower) / (whole.upper - whole.lower) : 0;
}

double volume_fraction(const Box& box, const Box& domain) {
  double fraction = 1;
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (domain[i].upper > domain[i].lower) fraction *= relative_width(box[i], domain[i]);
  }
  return fraction;
}

// Where to look for a violation in a box: its middle, and that point moved to the domain's faces which the box touches,
// since the extremes of an inequality often lie on them and no middle does.
std::vector<std::vector<double>> candidates(const Box& box, const Box& domain) {
  std::vector<double> middle;
  std::vector<double> low_faces;
  std::vector<double> high_faces;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double centre = short_middle(box[i]);
    const bool low = box[i].lower == domain[i].lower;
    const bool high = box[i].upper == domain[i].upper;
    middle.push_back(centre);
    low_faces.push_back(low ? box[i].lower : high ? box[i].upper : centre);
    high_faces.push_back(high ? box[i].upper : low ? box[i].lower : centre);
  }
  std::vector<std::vector<double>> points{middle};
  if (low_faces != middle) points.push_back(low_faces);
  if (high_faces != middle && high_faces != low_faces) points.push_back(high_faces);
  return points;
}

// Splits the relatively widest side in two; nothing where no side has a double between its ends.
std::optional<std::pair<Box, Box>> split(const Box& box, const Box& domain) {
  std::size_t widest = box.size();
  double width = 0;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double middle = short_middle(box[i]);
    if (middle > box[i].lower && middle < box[i].upper && relative_width(box[i], domain[i]) > width) {
      widest = i;
      width = relative_width(box[i], domain[i]);
    }
  }
  if (widest == box.size()) return std::nullopt;
  std::pair<Box, Box> halves(box, box);
  halves.first[widest].upper = halves.second[widest].lower = short_middle(box[widest]);
  return halves;
}

}  // namespace

std::string_view name(CertificationStatus status) {
  switch (status) {
    case CertificationStatus::certified:
      return "certified";
    case CertificationStatus::violated:
      return "violated";
    case CertificationStatus::undecided:
      return "undecided";
  }
  return "undecided";
}

Certification certify_nonnegative(const BallFunction& f, const std::vector<Interval>& box, std::int64_t max_boxes) {
  check(box, max_boxes);
  Certification result;
  std::deque<Box> open{box};
  std::deque<Box> unsplittable;
  std::vector<Ball> arguments(box.size());
  while (!open.empty() && result.boxes_examined < max_boxes) {
    const Box current = std::move(open.front());
    open.pop_front();
    ++result.boxes_examined;
    for (std::size_t i = 0; i < current.size(); ++i) arguments[i] = Ball::hull(current[i].lower, current[i].upper);
    if (f(arguments).is_nonnegative()) continue;
    for (std::vector<double>& point : candidates(current, box)) {
      auto value = value_if_negative(f, point);
      if (!value) continue;
      result.status = CertificationStatus::violated;
      result.point = std::move(point);
      result.value = *std::move(value);
      shorten(f, box, result);
      return result;
    }
    if (auto halves = split(current, box)) {
      open.push_back(std::move(halves->first));
      open.push_back(std::move(halves->second));
    } else {
      unsplittable.push_back(current);
    }
  }
  open.insert(open.end(), unsplittable.begin(), unsplittable.end());
  if (open.empty()) {
    result.status = CertificationStatus::certified;
    return result;
  }
  result.boxes_remaining = static_cast<std::int64_t>(open.size());
  for (const Box& left : open) result.undecided_volume_fraction += volume_fraction(left, box);
  return result;
}

}  // namespace attest::rigor
