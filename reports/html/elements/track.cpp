#include "reports/html/elements/track.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/text/markup.hpp"

namespace attest::reports::html {
namespace {

constexpr double left_margin = 2.0;
constexpr double right_margin = 98.0;
// A text this near to an edge is anchored at that edge's side: half a label is about a fifth of a phone's width.
constexpr double anchor_margin = 22.0;

}  // namespace

Track::Track(double least, double largest, bool logarithmic)
    : least_(logarithmic ? std::log10(least) : least),
      largest_(logarithmic ? std::log10(largest) : largest),
      logarithmic_(logarithmic) {}

double Track::at(double value) const {
  const double place = ((logarithmic_ ? std::log10(value) : value) - least_) / (largest_ - least_);
  return left_margin + (right_margin - left_margin) * std::clamp(place, 0.0, 1.0);
}

std::string Track::text_position(double value) const {
  const double x = at(value);
  const char* anchor = x < anchor_margin ? "start" : x > 100 - anchor_margin ? "end" : "middle";
  return fmt::format(R"(x="{:.1f}%" text-anchor="{}")", x, anchor);
}

std::string vertical_line(const Track& track, double value, int top, int bottom, std::string_view css_class) {
  const double x = track.at(value);
  return fmt::format(R"(<line class="{}" x1="{:.1f}%" x2="{:.1f}%" y1="{}" y2="{}"/>)", css_class, x, x, top, bottom);
}

std::string horizontal_line(const Track& track, double from, double to, int y, std::string_view css_class) {
  return fmt::format(R"(<line class="{0}" x1="{1:.1f}%" x2="{2:.1f}%" y1="{3}" y2="{3}"/>)", css_class, track.at(from),
                     track.at(to), y);
}

std::string dot(const Track& track, double value, int y, int radius, std::string_view css_class) {
  return fmt::format(R"(<circle class="{}" cx="{:.1f}%" cy="{}" r="{}"/>)", css_class, track.at(value), y, radius);
}

std::string dots(const Track& track, double value, int y, int count, std::string_view css_class) {
  const double x = track.at(value);
  // A little longer, so that the last dot is not lost to rounding.
  return fmt::format(R"(<line class="{}" x1="{:.1f}%" x2="{:.1f}%" y1="{}" y2="{}.9"/>)", css_class, x, x, y,
                     y - dot_step * (count - 1) - 1);
}

std::string text(const Track& track, double value, int y, std::string_view words, std::string_view css_class) {
  return fmt::format(R"(<text class="{}" {} y="{}">{}</text>)", css_class, track.text_position(value), y,
                     escaped(words));
}

std::string strip(int height, std::string_view description, const std::string& content) {
  return fmt::format("<svg class=\"strip\" height=\"{}\" role=\"img\" aria-label=\"{}\">{}</svg>\n", height,
                     escaped(description), content);
}

}  // namespace attest::reports::html
