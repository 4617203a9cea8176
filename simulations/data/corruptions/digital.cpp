#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/LU>

#include "simulations/data/corruptions/jpeg_round_trip.hpp"
#include "simulations/data/corruptions/kinds.hpp"

namespace attest::data {
namespace {

/// Means over boxes, as Pillow's BOX filter has them, of an axis of `from` pixels that becomes `to`.
struct Box {
  std::size_t first, end;
};
Box box_of(std::size_t place, std::size_t from, std::size_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to), half = 0.5 * std::max(1.0, scale),
               centre = (static_cast<double>(place) + 0.5) * scale;
  const auto clamped = [&](double at) {
    return static_cast<std::size_t>(std::clamp(std::trunc(at), 0.0, static_cast<double>(from)));
  };
  Box box{clamped(centre - half + 0.5), clamped(centre + half + 0.5)};
  // Only pixels whose middle lies in (centre - half, centre + half] count.
  while (box.first + 1 < box.end && static_cast<double>(box.first) + 0.5 - centre <= -half) ++box.first;
  while (box.end - 1 > box.first && static_cast<double>(box.end - 1) + 0.5 - centre > half) --box.end;
  return box;
}

Planes resized(const Planes& image, std::size_t rows, std::size_t columns) {
  Planes out{image.channels, rows, columns, std::vector<double>(image.channels * rows * columns)};
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < columns; ++x) {
        const Box down = box_of(y, image.rows, rows), right = box_of(x, image.columns, columns);
        double sum = 0;
        for (std::size_t v = down.first; v < down.end; ++v)
          for (std::size_t u = right.first; u < right.end; ++u) sum += image.at(c, v, u);
        out.at(c, y, x) = sum / static_cast<double>((down.end - down.first) * (right.end - right.first));
      }
  return out;
}

/// Linear map with shift from three points to three: (x, y) -> M (x, y, 1).
Eigen::Matrix<double, 2, 3> affine_map(const std::array<double, 6>& from, const std::array<double, 6>& to) {
  Eigen::Matrix3d points;
  Eigen::Matrix<double, 2, 3> images;
  for (std::size_t i = 0; i < 3; ++i) {
    points.col(static_cast<Eigen::Index>(i)) << from[2 * i], from[2 * i + 1], 1;
    images.col(static_cast<Eigen::Index>(i)) << to[2 * i], to[2 * i + 1];
  }
  return images * points.inverse();
}

/// The image behind a map that three points at a third of the side around the middle give, each moved by up to `most`.
Planes bent(const Planes& image, double most, random::Stream& stream) {
  const double third = std::floor(static_cast<double>(image.side()) / 3),
               x = std::floor(static_cast<double>(image.columns) / 2),
               y = std::floor(static_cast<double>(image.rows) / 2);
  const std::array<double, 6> from = {x + third, y + third, x + third, y - third, x - third, y - third};
  std::array<double, 6> to = from;
  for (double& value : to) value += stream.uniform(-most, most);
  const auto back = affine_map(to, from);
  Planes out = image;
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t row = 0; row < image.rows; ++row)
      for (std::size_t column = 0; column < image.columns; ++column) {
        const Eigen::Vector2d source = back * Eigen::Vector3d(static_cast<double>(column), static_cast<double>(row), 1);
        out.at(c, row, column) = interpolated(image, c, source.y(), source.x(), Border::reflect);
      }
  return out;
}

}  // namespace

Planes contrast(const Planes& image, Severity severity, random::Stream& /*stream*/) {
  constexpr Strengths<double> strengths = {{.75, .5, .4, .3, .15}, {.4, .3, .2, .1, .05}};
  const std::size_t plane = image.rows * image.columns;
  Planes out = image;
  for (std::size_t c = 0; c < image.channels; ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < plane; ++i) mean += image.values[c * plane + i] / static_cast<double>(plane);
    for (std::size_t i = 0; i < plane; ++i)
      out.values[c * plane + i] = (image.values[c * plane + i] - mean) * strengths[severity] + mean;
  }
  return out;
}

Planes elastic_transform(const Planes& image, Severity severity, random::Stream& stream) {
  struct Elastic {
    double length, sigma, bend;  // in sides
  };
  constexpr double wide = 244.0 / 224;  // the published lengths are for 244 pixels
  constexpr Strengths<Elastic> all = {{{0, 0, .08}, {.05, .2, .07}, {.08, .06, .06}, {.1, .04, .05}, {.1, .03, .03}},
                                      {{2 * wide, .7 * wide, .1 * wide},
                                       {2 * wide, .08 * wide, .2 * wide},
                                       {.05 * wide, .01 * wide, .02 * wide},
                                       {.07 * wide, .01 * wide, .02 * wide},
                                       {.12 * wide, .01 * wide, .02 * wide}}};
  const auto side = static_cast<double>(image.side());
  const Elastic e = all[severity];
  const Planes base = bent(image, e.bend * side, stream);
  const auto field = [&] {
    Planes steps{1, image.rows, image.columns, std::vector<double>(image.rows * image.columns)};
    for (double& value : steps.values) value = stream.uniform(-1, 1);
    return blurred(steps, e.sigma * side, Border::symmetric, 3);
  };
  const Planes right = field(), down = field();
  Planes out = base;
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t y = 0; y < image.rows; ++y)
      for (std::size_t x = 0; x < image.columns; ++x)
        out.at(c, y, x) = interpolated(base, c, static_cast<double>(y) + e.length * side * down.at(0, y, x),
                                       static_cast<double>(x) + e.length * side * right.at(0, y, x), Border::symmetric);
  return out;
}

Planes pixelate(const Planes& image, Severity severity, random::Stream& /*stream*/) {
  constexpr Strengths<double> shares = {{.95, .9, .85, .75, .65}, {.6, .5, .4, .3, .25}};
  const auto fewer = [&](std::size_t side) {
    return static_cast<std::size_t>(static_cast<double>(side) * shares[severity]);
  };
  return resized(resized(image, fewer(image.rows), fewer(image.columns)), image.rows, image.columns);
}

Planes jpeg_compression(const Planes& image, Severity severity, random::Stream& /*stream*/) {
  constexpr Strengths<int> qualities = {{80, 65, 58, 50, 40}, {25, 18, 15, 10, 7}};
  return jpeg_round_trip(image, qualities[severity]);
}

}  // namespace attest::data
