#include "theorems/referee/points/points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "theorems/referee/points/structures.hpp"

namespace attest::referee {
namespace {

using language::RawInput;
using random::Stream;

/// Scales near 1 in two draws of five, otherwise log-uniform from 1e-6 to 1e4; one in twenty far beyond.
double draw_scale(Stream& stream) {
  constexpr std::array short_scales = {0.1, 0.5, 1.0, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0};
  const std::uint64_t kind = stream.integer(20);
  if (kind < 8) return short_scales[stream.integer(short_scales.size())];
  if (kind == 8) return std::pow(10.0, stream.uniform(-9, 6));
  return std::pow(10.0, stream.uniform(-6, 4));
}

/// A number of an interval with two ends.
double between(double lower, double upper, Stream& stream) {
  const double width = upper - lower;
  switch (stream.integer(10)) {
    case 0:
      return lower;
    case 1:
      return upper;
    case 2:
      return lower + width * std::pow(10.0, stream.uniform(-8, 0));
    case 3:
      return upper - width * std::pow(10.0, stream.uniform(-8, 0));
    case 4: {
      constexpr std::array parts = {0.5, 0.25, 0.75, 0.1, 0.9, 1.0 / 3};
      return lower + width * parts[stream.integer(parts.size())];
    }
    case 5:
      return lower < 0 && upper > 0 ? 0.0 : lower + width * stream.uniform();
    default:
      return lower + width * stream.uniform();
  }
}

/// A single number within its bounds at that scale.
double draw_number(double lower, double upper, double scale, Stream& stream) {
  const bool below = std::isfinite(lower), above = std::isfinite(upper);
  if (below && above) {
    // A wide interval is searched at all scales about its lower end (and 0), too.
    const double width = upper - lower;
    if (width > 100 && stream.integer(2) == 0)
      return std::min(upper, lower + std::exp(stream.uniform() * std::log(width)) - (stream.integer(2) == 0 ? 1 : 0));
    if (width > 0 && stream.integer(4) == 0 && lower < 0 && upper > 0)
      return std::clamp((stream.integer(2) == 0 ? 1 : -1) * scale, lower, upper);
    return between(lower, upper, stream);
  }
  const double magnitude = stream.integer(2) == 0 ? scale : scale * std::abs(stream.normal());
  if (below) return stream.integer(12) == 0 ? lower : lower + magnitude;
  if (above) return stream.integer(12) == 0 ? upper : upper - magnitude;
  const std::uint64_t kind = stream.integer(12);
  if (kind == 0) return 0;
  return (kind % 2 == 0 ? 1 : -1) * magnitude;
}

/// A structured array brought within bounds.
void place_within(const RawInput& input, double scale, Stream& stream, std::vector<double>& entries) {
  // Intervals are filled to their ends half of the time.
  const bool stretched = stream.integer(2) == 0, exponential = stream.integer(2) == 0;
  double largest = 0;
  for (const double entry : entries) largest = std::max(largest, std::abs(entry));
  using language::SetKind;
  if ((input.set.kind == SetKind::simplex || input.set.kind == SetKind::stochastic) && exponential) {
    // Weights as a softmax has them: from all alike to one that takes nearly all.
    for (double& entry : entries) entry = std::exp(std::clamp((entry - largest) * std::min(scale, 50.0), -600.0, 0.0));
    return;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double lower = input.lower[i], upper = input.upper[i];
    double& entry = entries[i];
    if (std::isfinite(lower) && std::isfinite(upper)) {
      if (stretched && largest > 0) {
        const bool from_lower = lower >= 0;
        const double unit = entry / largest;
        entry =
            from_lower ? lower + (upper - lower) * std::abs(unit) : (lower + upper) / 2 + (upper - lower) / 2 * unit;
      } else {
        entry = entry * scale;
      }
    } else if (std::isfinite(lower)) {
      entry = lower + (exponential ? std::exp(std::clamp(entry * std::min(scale, 50.0), -700.0, 300.0))
                                   : std::abs(entry) * scale);
    } else if (std::isfinite(upper)) {
      entry = upper - std::abs(entry) * scale;
    } else {
      entry *= scale;
    }
  }
}

/// The variable placed in relation to an earlier one of the same shape.
void relate(std::span<const double> other, double scale, Stream& stream, std::span<double> own) {
  const double near = std::pow(10.0, stream.uniform(-6, 0)) * (stream.integer(2) == 0 ? scale : 1.0);
  switch (stream.integer(8)) {
    case 0:
      std::copy(other.begin(), other.end(), own.begin());
      return;
    case 1:
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = -other[i];
      return;
    case 2: {  // apart in one entry
      std::copy(other.begin(), other.end(), own.begin());
      own[stream.integer(own.size())] += (stream.integer(2) == 0 ? 1 : -1) * near;
      return;
    }
    case 3: {  // apart in two entries, in opposite directions
      std::copy(other.begin(), other.end(), own.begin());
      own[0] += near;
      own[own.size() > 1 ? 1 : 0] -= near;
      return;
    }
    case 4:  // apart in half of the entries
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = other[i] + (2 * i < own.size() ? near : -near);
      return;
    case 5: {  // the same in reverse order
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = other[own.size() - 1 - i];
      return;
    }
    case 6: {  // a multiple
      const double factor = stream.integer(2) == 0 ? 2.0 : stream.normal();
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = factor * other[i];
      return;
    }
    default:
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = other[i] + near * stream.normal();
  }
}

bool related(const RawInput& a, const RawInput& b) {
  return a.raw == b.raw && a.set.kind == b.set.kind && !a.random && !b.random && a.whole == b.whole;
}

void confine(const language::Program& program, const Bounds& bounds, std::vector<double>& point) {
  for (const RawInput& input : program.inputs()) {
    const auto size = static_cast<std::size_t>(input.raw.size());
    bool some = false;
    for (std::size_t k = 0; k < size; ++k) {
      double& x = point[input.offset + k];
      if (!std::isfinite(x)) x = 0;
      x = std::clamp(x, bounds.lower[input.offset + k], bounds.upper[input.offset + k]);
      if (input.whole) x = std::round(x);
      some |= x != 0;
    }
    using language::SetKind;
    // Weights that are all 0, or a direction of length 0, are not an element.
    if (!input.random && !some && size > 0 && (input.set.kind == SetKind::simplex || input.set.kind == SetKind::sphere))
      point[input.offset] = 1;
    if (!input.random && input.set.kind == SetKind::stochastic && size > 0) {
      const auto cols = static_cast<std::size_t>(input.raw.cols);
      for (std::size_t row = 0; row < size; row += cols) {
        const auto begin = point.begin() + static_cast<std::ptrdiff_t>(input.offset + row);
        if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(cols), [](double w) { return w == 0; }))
          std::fill(begin, begin + static_cast<std::ptrdiff_t>(cols), 1.0);
      }
    }
  }
}

}  // namespace

Bounds bounds_of(const language::Program& program) {
  Bounds bounds{std::vector<double>(program.dimension(), -largest_magnitude),
                std::vector<double>(program.dimension(), largest_magnitude)};
  for (const RawInput& input : program.inputs()) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) {
      double& lower = bounds.lower[input.offset + k];
      double& upper = bounds.upper[input.offset + k];
      if (std::isfinite(input.lower[k])) lower = input.lower[k];
      if (std::isfinite(input.upper[k])) upper = input.upper[k];
      if (lower > upper - 1) {
        if (!std::isfinite(input.upper[k])) upper = std::max(upper, lower + largest_magnitude);
        if (!std::isfinite(input.lower[k])) lower = std::min(lower, upper - largest_magnitude);
      }
      // An open end is approached to 1e-9 of the width (of 1 where the other end is far).
      const double step = 1e-9 * std::min(1.0, upper - lower);
      if (input.lower_open && std::isfinite(input.lower[k]))
        lower = std::max(lower + step, std::nextafter(lower, upper));
      if (input.upper_open && std::isfinite(input.upper[k]))
        upper = std::min(upper - step, std::nextafter(upper, lower));
    }
  }
  return bounds;
}

std::vector<double> draw_point(const language::Program& program, const Bounds& bounds, std::uint64_t index,
                               Stream& stream) {
  std::vector<double> point(program.dimension(), 0.0);
  const std::vector<RawInput>& inputs = program.inputs();
  // The first points are the structures at scale 1 with all variables alike; later ones mix.
  const bool first_round = index < structure_count;
  const double common = first_round ? 1.0 : draw_scale(stream);
  const bool share_scale = first_round || stream.integer(2) == 0;
  const bool share_structure = first_round || stream.integer(3) == 0;
  const bool evenly = !first_round && stream.integer(3) == 0;
  const auto drawn_structure = [&] { return static_cast<Structure>(stream.integer(structure_count)); };
  const Structure shared = first_round ? static_cast<Structure>(index) : drawn_structure();
  for (std::size_t v = 0; v < inputs.size(); ++v) {
    const RawInput& input = inputs[v];
    if (input.random || input.raw.size() == 0) continue;
    const double scale = share_scale ? common : draw_scale(stream);
    const auto size = static_cast<std::size_t>(input.raw.size());
    const std::span<double> own(point.data() + input.offset, size);
    if (input.whole) {
      for (std::size_t k = 0; k < size; ++k)
        own[k] = input.lower[k] +
                 static_cast<double>(stream.integer(static_cast<std::uint64_t>(input.upper[k] - input.lower[k]) + 1));
      continue;
    }
    if (v > 0 && !evenly && stream.integer(2) == 0) {
      std::vector<std::size_t> earlier;
      for (std::size_t w = 0; w < v; ++w)
        if (related(inputs[w], input)) earlier.push_back(w);
      if (!earlier.empty()) {
        const RawInput& other = inputs[earlier[stream.integer(earlier.size())]];
        relate(std::span<const double>(point.data() + other.offset, size), scale, stream, own);
        continue;
      }
    }
    if (size == 1) {
      if (evenly && std::isfinite(input.lower[0]) && std::isfinite(input.upper[0])) {
        own[0] = stream.uniform(input.lower[0], input.upper[0]);
        continue;
      }
      own[0] = draw_number(input.lower[0], input.upper[0], scale, stream);
      continue;
    }
    // A box is also filled evenly: what is wrong in a small part of it need not have any structure.
    if (!first_round && std::isfinite(input.lower[0]) && std::isfinite(input.upper[0]) &&
        (evenly || stream.integer(4) == 0)) {
      for (std::size_t k = 0; k < size; ++k) own[k] = stream.uniform(input.lower[k], input.upper[k]);
      continue;
    }
    std::vector<double> entries =
        structured(share_structure ? shared : drawn_structure(), static_cast<std::size_t>(input.raw.rows),
                   static_cast<std::size_t>(input.raw.cols), stream);
    place_within(input, scale, stream, entries);
    std::copy(entries.begin(), entries.end(), own.begin());
  }
  confine(program, bounds, point);
  return point;
}

std::vector<std::vector<double>> few_against_many(const language::Program& program, const Bounds& bounds) {
  constexpr std::size_t fewest = 4;
  std::vector<std::vector<double>> points;
  for (const std::size_t few : {1, 2, 3}) {
    for (const double apart : {0.1, 0.01}) {
      std::vector<double> point(program.dimension(), 1.0);
      const RawInput* first = nullptr;
      for (const RawInput& input : program.inputs()) {
        const auto size = static_cast<std::size_t>(input.raw.size());
        if (input.random || size < fewest) continue;
        std::fill_n(point.begin() + static_cast<std::ptrdiff_t>(input.offset + few), size - few, -1.0);
        if (first != nullptr && related(*first, input)) {
          point[input.offset] -= apart;
          confine(program, bounds, point);
          points.push_back(point);
          break;
        }
        first = &input;
      }
    }
  }
  return points;
}

namespace {

bool is_unbounded(const RawInput& input) {
  return !input.random && !input.whole && input.raw.size() > 0 &&
         (!std::isfinite(input.lower[0]) || !std::isfinite(input.upper[0]));
}

}  // namespace

bool has_unbounded(const language::Program& program) { return std::ranges::any_of(program.inputs(), is_unbounded); }

std::vector<double> draw_far_point(const language::Program& program, const Bounds& bounds, std::uint64_t index,
                                   Stream& stream) {
  constexpr double least = -60, most = 120, usual_end = 4, far_end = 20;
  std::vector<double> point = draw_point(program, bounds, index, stream);
  std::vector<const RawInput*> moved;
  for (const RawInput& input : program.inputs())
    if (is_unbounded(input)) moved.push_back(&input);
  if (stream.integer(2) == 0) moved = {moved[stream.integer(moved.size())]};
  // Multiples of the golden ratio leave no decade out for long.
  const double part = std::fmod(static_cast<double>(index) * std::numbers::phi, 1.0);
  const bool near = stream.integer(2) == 0;
  const double magnitude =
      std::pow(10.0, near ? usual_end + (far_end - usual_end) * part : least + (most - least) * part);
  for (const RawInput* input : moved) {
    const double lower = input->lower[0], upper = input->upper[0];
    const double from = std::isfinite(lower) ? lower : std::isfinite(upper) ? upper : 0;
    const std::span<double> own(point.data() + input->offset, static_cast<std::size_t>(input->raw.size()));
    double largest = 0;
    for (const double x : own) largest = std::max(largest, std::abs(x - from));
    if (largest > 0)
      for (double& x : own) x = from + (x - from) / largest * magnitude;
  }
  return point;
}

std::vector<double> draw_near(const language::Program& program, const Bounds& bounds, std::span<const double> from,
                              Stream& stream) {
  std::vector<double> point(from.begin(), from.end());
  const std::vector<RawInput>& inputs = program.inputs();
  const bool all = stream.integer(3) == 0;
  const double step = std::pow(10.0, stream.uniform(-6, 0.3));
  for (std::size_t v = 0; v < inputs.size(); ++v) {
    const RawInput& input = inputs[v];
    if (input.random || input.raw.size() == 0 || (!all && stream.integer(2) == 0)) continue;
    const auto size = static_cast<std::size_t>(input.raw.size());
    const std::span<double> own(point.data() + input.offset, size);
    double magnitude = 0;
    for (const double x : own) magnitude = std::max(magnitude, std::abs(x));
    const std::uint64_t kind = stream.integer(6);
    if (kind == 0) {  // another size
      const double factor = std::exp(step * stream.normal());
      for (double& x : own) x *= factor;
    } else if (kind == 1 && size > 1) {  // one entry takes another's value
      own[stream.integer(size)] = own[stream.integer(size)];
    } else if (kind == 2 || size == 1) {
      double& x = own[stream.integer(size)];
      const double width = bounds.upper[input.offset] - bounds.lower[input.offset];
      x += step * stream.normal() * (magnitude > 0 ? std::abs(x) > 0 ? std::abs(x) : magnitude : std::min(1.0, width));
    } else if (kind == 3) {  // all by a common shift
      const double shift = step * stream.normal() * (magnitude > 0 ? magnitude : 1.0);
      for (double& x : own) x += shift;
    } else {
      for (double& x : own) x += step * stream.normal() * (magnitude > 0 ? magnitude : 1.0);
    }
  }
  confine(program, bounds, point);
  return point;
}

}  // namespace attest::referee
