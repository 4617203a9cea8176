// A horizontal axis in per cent of the width, so that a drawing stretches with the page and its text does not.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports::html {

constexpr int dot_step = 6;

/// Maps values to positions between the left and right margin. Precondition: `least` < `largest`, both positive when
/// logarithmic.
class Track {
 public:
  Track(double least, double largest, bool logarithmic = false);

  /// Position in per cent of the width; what lies outside is put at the nearer margin.
  double at(double value) const;

  /// "x=... text-anchor=..." for a text at `value`, anchored so that it stays inside the drawing.
  std::string text_position(double value) const;

 private:
  double least_;
  double largest_;
  bool logarithmic_;
};

/// SVG elements with that class: across they stand at a value of the track, down at a number of pixels.
std::string vertical_line(const Track& track, double value, int top, int bottom, std::string_view css_class);
std::string horizontal_line(const Track& track, double from, double to, int y, std::string_view css_class);
std::string dot(const Track& track, double value, int y, int radius, std::string_view css_class);
/// `count` dots above one another, the lowest at `y`, as one line whose class draws a dot every `dot_step` pixels.
std::string dots(const Track& track, double value, int y, int count, std::string_view css_class);
std::string text(const Track& track, double value, int y, std::string_view words, std::string_view css_class);

/// The drawing around `content`, `height` pixels high, with a description for those who cannot see it.
std::string strip(int height, std::string_view description, const std::string& content);

}  // namespace attest::reports::html
