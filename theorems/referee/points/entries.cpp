#include "theorems/referee/points/entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attest::referee {

using language::RawInput;
using random::Stream;

double draw_scale(Stream& stream) {
  constexpr std::array short_scales = {0.1, 0.5, 1.0, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0};
  const std::uint64_t kind = stream.integer(20);
  if (kind < 8) return short_scales[stream.integer(short_scales.size())];
  if (kind == 8) return std::pow(10.0, stream.uniform(-9, 6));
  return std::pow(10.0, stream.uniform(-6, 4));
}

namespace {

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

}  // namespace

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

void place_within(const RawInput& input, double scale, bool plain, Stream& stream, std::vector<double>& entries) {
  // Intervals are filled to their ends half of the time.
  const bool stretched = stream.integer(2) == 0;
  const bool positive = std::ranges::all_of(entries, [](double entry) { return entry >= 0; });
  const bool exponential = stream.integer(2) == 0 && !(plain && positive);
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

StructureShape shape_of(const RawInput& input) {
  if (input.set.kind == language::SetKind::symmetric) {
    const auto entries = static_cast<double>(input.raw.size());
    const auto n = static_cast<std::size_t>(std::lround((std::sqrt(8 * entries + 1) - 1) / 2));
    return {n, n};
  }
  return {static_cast<std::size_t>(input.raw.rows), static_cast<std::size_t>(input.raw.cols)};
}

std::vector<double> raw_of(const RawInput& input, std::vector<double> entries) {
  if (input.set.kind != language::SetKind::symmetric) return entries;
  const std::size_t n = shape_of(input).rows;
  std::vector<double> upper;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) upper.push_back((entries[i * n + j] + entries[j * n + i]) / 2);
  return upper;
}

void draw_whole(const RawInput& input, Structure structure, bool first_round, Stream& stream, std::span<double> own) {
  const auto drawn = [&](std::size_t k) {
    return input.lower[k] +
           static_cast<double>(stream.integer(static_cast<std::uint64_t>(input.upper[k] - input.lower[k]) + 1));
  };
  if (own.size() == 1 || (!first_round && stream.integer(2) == 0)) {
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = drawn(k);
    return;
  }
  const std::vector<double> entries =
      structured(structure, static_cast<std::size_t>(input.raw.rows), static_cast<std::size_t>(input.raw.cols), stream);
  const bool ends = first_round || stream.integer(2) == 0, turned = stream.integer(2) == 0;
  const double low = ends ? input.lower[0] : drawn(0), high = ends ? input.upper[0] : drawn(0);
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = (entries[k] > 0) != turned ? high : low;
}

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

}  // namespace attest::referee
