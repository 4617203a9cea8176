#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/search/adversarial.hpp"

namespace attest::search {
namespace {

/// Coordinates of long vectors that are singled out: the first ones and the last one.
std::vector<std::size_t> singled_out(std::size_t d) {
  constexpr std::size_t most = 8;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(d, most); ++i) chosen.push_back(i);
  if (d > most) chosen.push_back(d - 1);
  return chosen;
}

}  // namespace

std::vector<std::vector<double>> generic_corners(std::span<const double> lower, std::span<const double> upper,
                                                 std::int64_t limit) {
  const std::size_t d = lower.size();
  std::vector<std::vector<double>> corners;
  const auto add = [&](const std::function<double(std::size_t)>& coordinate) {
    if (static_cast<std::int64_t>(corners.size()) >= limit) return;
    std::vector<double> point(d);
    for (std::size_t i = 0; i < d; ++i) point[i] = std::clamp(coordinate(i), lower[i], upper[i]);
    if (std::find(corners.begin(), corners.end(), point) == corners.end()) corners.push_back(std::move(point));
  };
  const auto low = [&](std::size_t i) { return lower[i]; };
  const auto high = [&](std::size_t i) { return upper[i]; };
  const auto middle = [&](std::size_t i) { return 0.5 * lower[i] + 0.5 * upper[i]; };
  const auto zero = [](std::size_t) { return 0.0; };

  add(middle);
  add(zero);
  add(low);
  add(high);
  for (const double value : {1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1e-3, -1e-3}) add([=](std::size_t) { return value; });
  add([&](std::size_t i) { return i % 2 == 0 ? low(i) : high(i); });
  add([&](std::size_t i) { return i % 2 == 0 ? high(i) : low(i); });
  add([&](std::size_t i) { return 2 * i < d ? low(i) : high(i); });
  add([&](std::size_t i) { return 2 * i < d ? high(i) : low(i); });
  const auto fraction = [&](std::size_t i) {
    return d > 1 ? static_cast<double>(i) / static_cast<double>(d - 1) : 0.0;
  };
  add([&](std::size_t i) { return std::lerp(low(i), high(i), fraction(i)); });
  add([&](std::size_t i) { return std::lerp(high(i), low(i), fraction(i)); });
  for (const std::size_t one : singled_out(d)) {
    add([&](std::size_t i) { return i == one ? high(i) : low(i); });
    add([&](std::size_t i) { return i == one ? low(i) : high(i); });
    add([&](std::size_t i) { return i == one ? high(i) : middle(i); });
    add([&](std::size_t i) { return i == one ? low(i) : middle(i); });
    add([&](std::size_t i) { return i == one ? high(i) : 0.0; });
    add([&](std::size_t i) { return i == one ? low(i) : 0.0; });
    add([&](std::size_t i) { return i == one ? 1.0 : 0.0; });
  }
  constexpr std::size_t most_coordinates_with_all_corners = 10;
  if (d <= most_coordinates_with_all_corners) {
    for (std::size_t mask = 0; mask < (std::size_t{1} << d); ++mask) {
      add([&](std::size_t i) { return ((mask >> i) & 1U) != 0 ? high(i) : low(i); });
    }
  }
  return corners;
}

}  // namespace attest::search
