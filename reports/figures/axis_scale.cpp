#include "reports/figures/axis_scale.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace attest::reports {
namespace {

/// 1, 2 or 5 times a power of ten, the smallest that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<Tick> linear_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  const double step = round_step((high - low) / most);
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  // Where a step vanishes beside its value nothing between the ends can be told apart.
  if (!(step > 0) || last - first > 4.0 * most) return {{low, tick_label(low)}, {high, tick_label(high)}};
  for (double i = first; i <= last; ++i) {
    // From the step's own digits, so that 3 steps of 0.1 are 0.3.
    const double value = step >= 1 ? i * step : i / std::round(1 / step);
    ticks.push_back({value, tick_label(value)});
  }
  return ticks;
}

/// Powers and plain numbers are not mixed: 100 beside 10^{6} is 10^{2}.
void write_alike(std::vector<Tick>& ticks) {
  const auto is_power = [](const Tick& tick) { return tick.label.find('^') != std::string::npos; };
  if (std::none_of(ticks.begin(), ticks.end(), is_power)) return;
  for (Tick& tick : ticks) tick.label = tick_label(tick.value, true);
}

std::vector<Tick> logarithmic_ticks(double low, double high, int most) {
  const double from = std::log10(low), to = std::log10(high);
  const int first = static_cast<int>(std::floor(from)), last = static_cast<int>(std::ceil(to));
  const auto within = [&](double value) { return value >= low * (1 - 1e-12) && value <= high * (1 + 1e-12); };
  const auto at = [&](std::initializer_list<int> factors, int decades) {
    std::vector<Tick> ticks;
    // Multiples of the step: 2, 4, 6 and not 3, 5, 7.
    const int start = static_cast<int>(std::floor(static_cast<double>(first) / decades)) * decades;
    for (int decade = start; decade <= last; decade += decades) {
      for (const int factor : factors) {
        const double value = factor * std::pow(10.0, decade);
        if (within(value)) ticks.push_back({value, tick_label(value)});
      }
    }
    return ticks;
  };
  const auto many = static_cast<std::size_t>(most);
  for (const auto& factors : {std::initializer_list<int>{1, 2, 5}, {1, 3}, {1}}) {
    std::vector<Tick> ticks = at(factors, 1);
    if (ticks.size() >= 2 && ticks.size() <= many) return ticks;
  }
  if (at({1}, 1).size() <= many) return linear_ticks(low, high, most);
  int decades = 2;
  while (at({1}, decades).size() > many) ++decades;
  return at({1}, decades);
}

}  // namespace

std::string tick_label(double value, bool as_power) {
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  std::string text;
  if (exponent >= -3 && exponent <= 4 && !as_power) {
    text = fmt::format("{:.10g}", value);
  } else {
    const std::string factor = fmt::format("{:.6g}", value / std::pow(10.0, exponent));
    const std::string power = fmt::format("10^{{{}}}", exponent);
    text = factor == "1" ? power : factor == "-1" ? "-" + power : factor + "×" + power;
  }
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) text.replace(at, 1, "−");
  return text;
}

AxisScale axis_scale(const Axis& axis, Extremes data, int most, bool tight, bool downwards) {
  AxisScale scale{data.least, data.largest, axis.logarithmic, {}};
  if (!axis.places.empty()) {
    const auto [least, largest] = std::minmax_element(axis.places.begin(), axis.places.end());
    // Half a place of air at both ends, and the first name on top as in a list.
    scale = {least->first - 0.5, largest->first + 0.5, false, {}};
    for (const auto& [value, name] : axis.places) scale.ticks.push_back({value, name});
    if (downwards) std::swap(scale.low, scale.high);
    return scale;
  }
  constexpr double air = 0.04;
  if (axis.logarithmic) {
    const double span = std::log10(data.largest / data.least);
    const double factor = std::pow(10.0, std::min(span > 0 ? air * span : 0.15, 1.0 / 3));
    if (!tight || span == 0) scale = {data.least / factor, data.largest * factor, true, {}};
    scale.low = std::max(scale.low, 1e-307);
    scale.high = std::min(scale.high, 1e307);
    scale.ticks = logarithmic_ticks(scale.low, scale.high, most);
    write_alike(scale.ticks);
    return scale;
  }
  // Halves, for the difference of two numbers near the end of the range is beyond it.
  const double half = data.largest / 2 - data.least / 2;
  const double size = std::max(std::abs(data.least), std::abs(data.largest));
  const bool flat = half <= 1e-12 * size || half == 0;
  const double margin = flat ? (size > 0 ? 0.1 * size : 1) : 2 * air * half;
  if (!tight || flat) {
    scale.low = data.least >= 0 && !flat ? std::max(0.0, data.least - margin) : data.least - margin;
    scale.high = data.largest <= 0 && !flat ? std::min(0.0, data.largest + margin) : data.largest + margin;
  }
  scale.low = std::max(scale.low, -1e307);
  scale.high = std::min(scale.high, 1e307);
  scale.ticks = linear_ticks(scale.low, scale.high, most);
  return scale;
}

}  // namespace attest::reports
