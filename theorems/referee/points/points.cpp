#include "theorems/referee/points/points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "theorems/referee/points/entries.hpp"
#include "theorems/referee/points/structures.hpp"

namespace attest::referee {
namespace {

using language::RawInput;
using random::Stream;

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
      draw_whole(input, share_structure ? shared : drawn_structure(), first_round, stream, own);
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
    const StructureShape shape = shape_of(input);
    std::vector<double> entries =
        raw_of(input, structured(share_structure ? shared : drawn_structure(), shape.rows, shape.cols, stream));
    place_within(input, scale, first_round, stream, entries);
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
  for (const RawInput& input : inputs) {
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
