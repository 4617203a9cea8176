#include <algorithm>
#include <cmath>

#include "simulations/data/corruptions/kinds.hpp"

namespace attest::data {
namespace {

/// ITU-R 601 luma of colours, a grey value itself.
double luma(const Planes& image, std::size_t row, std::size_t column) {
  if (image.channels == 1) return image.at(0, row, column);
  return .299 * image.at(0, row, column) + .587 * image.at(1, row, column) + .114 * image.at(2, row, column);
}

/// Ridges of a plasma, bright on a bluish ground: in place of the published photographs of ice on windows.
Planes ice(std::size_t rows, std::size_t columns, std::size_t channels, random::Stream& stream) {
  const Planes heights = plasma(rows, columns, 2, stream), veins = plasma(rows, columns, 1.7, stream);
  Planes out{channels, rows, columns, std::vector<double>(channels * rows * columns)};
  constexpr double tint[] = {.85, .93, 1};
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t i = 0; i < rows * columns; ++i) {
      const double ridge = 1 - std::abs(2 * veins.values[i] - 1);
      const double value = .25 + .35 * heights.values[i] + .4 * ridge * ridge * ridge;
      out.values[c * rows * columns + i] = value * (channels == 1 ? 1 : tint[c]);
    }
  return out;
}

}  // namespace

Planes snow(const Planes& image, Severity severity, random::Stream& stream) {
  struct Flakes {
    double mean, deviation, zoom, least, radius, sigma, kept;
  };
  constexpr Strengths<Flakes> all = {{{.1, .2, 1, .6, 8, 3, .95},
                                      {.1, .2, 1, .5, 10, 4, .9},
                                      {.15, .3, 1.75, .55, 10, 4, .9},
                                      {.25, .3, 2.25, .6, 12, 6, .85},
                                      {.3, .3, 1.25, .65, 14, 12, .8}},
                                     {{.1, .3, 3, .5, 10, 4, .8},
                                      {.2, .3, 2, .5, 12, 4, .7},
                                      {.55, .3, 4, .9, 12, 8, .7},
                                      {.55, .3, 4.5, .85, 12, 8, .65},
                                      {.55, .3, 2.5, .85, 12, 12, .55}}};
  const Flakes f = all[severity];
  Planes layer{1, image.rows, image.columns, std::vector<double>(image.rows * image.columns)};
  for (double& value : layer.values) value = f.mean + f.deviation * stream.normal();
  layer = zoomed(layer, f.zoom);
  for (double& value : layer.values) value = value < f.least ? 0 : std::min(value, 1.0);
  layer = moved(layer, f.radius, f.sigma, stream.uniform(-135, -45));
  Planes out = image;
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t y = 0; y < image.rows; ++y)
      for (std::size_t x = 0; x < image.columns; ++x) {
        const double whitened = std::max(image.at(c, y, x), 1.5 * luma(image, y, x) + .5);
        out.at(c, y, x) = f.kept * image.at(c, y, x) + (1 - f.kept) * whitened + layer.at(0, y, x) +
                          layer.at(0, image.rows - 1 - y, image.columns - 1 - x);
      }
  return out;
}

Planes frost(const Planes& image, Severity severity, random::Stream& stream) {
  struct Mix {
    double image, ice;
  };
  constexpr Strengths<Mix> mixes = {{{1, .2}, {1, .3}, {.9, .4}, {.85, .4}, {.75, .45}},
                                    {{1, .4}, {.8, .6}, {.7, .7}, {.65, .7}, {.6, .75}}};
  const Planes layer = ice(image.rows, image.columns, image.channels, stream);
  Planes out = image;
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = mixes[severity].image * image.values[i] + mixes[severity].ice * layer.values[i];
  return out;
}

Planes fog(const Planes& image, Severity severity, random::Stream& stream) {
  struct Fog {
    double amount, decay;
  };
  constexpr Strengths<Fog> fogs = {{{.2, 3}, {.5, 3}, {.75, 2.5}, {1, 2}, {1.5, 1.75}},
                                   {{1.5, 2}, {2, 2}, {2.5, 1.7}, {2.5, 1.5}, {3, 1.4}}};
  const auto [amount, decay] = fogs[severity];
  const Planes layer = plasma(image.rows, image.columns, decay, stream);
  const double brightest = *std::max_element(image.values.begin(), image.values.end());
  Planes out = image;
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] =
        (image.values[i] + amount * layer.values[i % layer.values.size()]) * brightest / (brightest + amount);
  return out;
}

Planes brightness(const Planes& image, Severity severity, random::Stream& /*stream*/) {
  constexpr Strengths<double> strengths = {{.05, .1, .15, .2, .3}, {.1, .2, .3, .4, .5}};
  const std::size_t plane = image.rows * image.columns;
  Planes out = image;
  for (std::size_t i = 0; i < plane; ++i) {
    // Value of hue, saturation and value: the largest channel. The other two keep their share of it.
    double value = 0;
    for (std::size_t c = 0; c < image.channels; ++c) value = std::max(value, image.values[c * plane + i]);
    const double raised = std::min(1.0, value + strengths[severity]);
    for (std::size_t c = 0; c < image.channels; ++c)
      out.values[c * plane + i] = value > 0 ? image.values[c * plane + i] * (raised / value) : raised;
  }
  return out;
}

}  // namespace attest::data
