#include "kernels/search/distributions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attest::search {
namespace {

/// 10 to a power uniform in [least_exponent, 0].
double random_scale(double least_exponent, random::Stream& stream) {
  return std::pow(10.0, stream.uniform(least_exponent, 0.0));
}

/// Magnitude log-uniform up to the largest |bound|, sign fair; clamping afterwards respects one-sided boxes.
double log_uniform(double lower, double upper, random::Stream& stream) {
  const double largest = std::max(std::abs(lower), std::abs(upper));
  const bool zero_inside = lower <= 0 && upper >= 0;
  const double smallest = zero_inside ? 1e-8 * largest : std::min(std::abs(lower), std::abs(upper));
  if (!(smallest > 0)) return 0;
  const double magnitude = smallest * std::pow(largest / smallest, stream.uniform());
  const bool negative = stream.uniform() < 0.5;
  if (lower >= 0) return magnitude;
  if (upper <= 0) return -magnitude;
  return negative ? -magnitude : magnitude;
}

}  // namespace

std::vector<double> random_point(Family family, std::span<const double> lower, std::span<const double> upper,
                                 random::Stream& stream) {
  const std::size_t d = lower.size();
  std::vector<double> point(d);
  const auto fill = [&](const std::function<double(std::size_t)>& coordinate) {
    for (std::size_t i = 0; i < d; ++i) point[i] = std::clamp(coordinate(i), lower[i], upper[i]);
  };
  const auto uniform = [&](std::size_t i) { return stream.uniform(lower[i], upper[i]); };
  const auto width = [&](std::size_t i) { return upper[i] - lower[i]; };
  switch (family) {
    case Family::uniform_box:
      fill(uniform);
      break;
    case Family::log_magnitude:
      fill([&](std::size_t i) { return log_uniform(lower[i], upper[i], stream); });
      break;
    case Family::gaussian_centre: {
      const double scale = random_scale(-4, stream);
      fill([&](std::size_t i) { return 0.5 * lower[i] + 0.5 * upper[i] + scale * width(i) * stream.normal(); });
      break;
    }
    case Family::sparse: {
      const double density = stream.uniform(0.0, 0.5);
      fill([&](std::size_t i) { return stream.uniform() < density ? uniform(i) : 0.0; });
      break;
    }
    case Family::near_boundary: {
      const double scale = random_scale(-8, stream);
      fill([&](std::size_t i) {
        const double inset = scale * stream.uniform() * width(i);
        return stream.uniform() < 0.5 ? lower[i] + inset : upper[i] - inset;
      });
      break;
    }
    case Family::nearly_constant: {
      const double position = stream.uniform();
      const double scale = random_scale(-6, stream);
      fill([&](std::size_t i) { return lower[i] + width(i) * (position + scale * stream.normal()); });
      break;
    }
    case Family::two_valued: {
      const double first = stream.uniform();
      const double second = stream.uniform();
      const double share = stream.uniform();
      fill([&](std::size_t i) { return lower[i] + width(i) * (stream.uniform() < share ? first : second); });
      break;
    }
  }
  return point;
}

std::vector<double> random_point_near(const std::vector<Candidate>& best, std::span<const double> lower,
                                      std::span<const double> upper, random::Stream& stream) {
  const auto pick = [&]() -> const std::vector<double>& {
    return best[static_cast<std::size_t>(stream.integer(best.size()))].point;
  };
  std::vector<double> point = pick();
  const double kind = stream.uniform();
  if (kind < 0.4) {
    // Steps along differences of good points follow ridges that no step in one coordinate can follow.
    const std::vector<double>& from = pick();
    const std::vector<double>& to = pick();
    const double length = 2 * stream.uniform();
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = std::clamp(point[i] + length * (to[i] - from[i]), lower[i], upper[i]);
    }
    return point;
  }
  if (kind < 0.55) {
    const double share = stream.uniform();
    const double low = stream.uniform();
    for (std::size_t i = 0; i < point.size(); ++i) {
      const bool pushed = stream.uniform() < share;
      const bool down = stream.uniform() < low;
      if (pushed) point[i] = down ? lower[i] : upper[i];
    }
  }
  const double scale = random_scale(-6, stream);
  const double share = kind < 0.7 ? 1.0 : stream.uniform();
  for (std::size_t i = 0; i < point.size(); ++i) {
    const bool moved = stream.uniform() < share;
    const double step = scale * (upper[i] - lower[i]) * stream.normal();
    if (moved) point[i] = std::clamp(point[i] + step, lower[i], upper[i]);
  }
  return point;
}

}  // namespace attest::search
