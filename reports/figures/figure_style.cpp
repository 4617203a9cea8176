#include "reports/figures/figure_style.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace attest::reports {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

void expect_within(double value, double least, double most, std::string_view what) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument(fmt::format("{} {}: give a number from {} to {}", what, value, least, most));
}

}  // namespace

void validate(const FigureStyle& style) {
  expect_within(style.width, 1.5, 20, "--figure-size: a width in inches,");
  if (style.height != 0) expect_within(style.height, 1, 20, "--figure-size: a height in inches,");
  expect_within(style.font_size, 4, 30, "--figure-font: a size in points,");
  expect_within(style.line_width, 0.2, 5, "--line-width");
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == ' ' || c == '-'; };
  if (style.font.empty() || !std::all_of(style.font.begin(), style.font.end(), plain))
    throw std::invalid_argument(
        fmt::format("--figure-font '{}': a font's name has letters, digits, spaces and '-'", style.font));
}

FigureStyle figure_style(const std::string& size, const std::string& font, double line_width) {
  FigureStyle style;
  if (!size.empty()) {
    const std::size_t by = size.find('x');
    const auto width = number(std::string_view(size).substr(0, by));
    const auto height = by == std::string::npos ? std::optional(0.0) : number(std::string_view(size).substr(by + 1));
    if (!width || !height || (by != std::string::npos && *height == 0))
      throw std::invalid_argument(
          fmt::format("--figure-size {}: give width and height in inches, such as 3.3x2.4, or the width alone", size));
    style.width = *width;
    style.height = *height;
  }
  if (!font.empty()) {
    const std::size_t comma = font.rfind(',');
    const auto points = number(comma == std::string::npos ? font : std::string_view(font).substr(comma + 1));
    if (comma != std::string::npos && !points)
      throw std::invalid_argument(
          fmt::format("--figure-font {}: give a font and its size in points, such as 'Nimbus Roman,8'", font));
    if (points) style.font_size = *points;
    if (comma != std::string::npos || !points) style.font = font.substr(0, comma);
  }
  style.line_width = line_width;
  validate(style);
  return style;
}

}  // namespace attest::reports
