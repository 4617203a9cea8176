#include <algorithm>
#include <cmath>
#include <utility>

#include "simulations/data/corruptions/kinds.hpp"

namespace attest::data {
namespace {

/// Poisson by Knuth's rule: how many uniform numbers can be multiplied before the product falls below exp(-mean), which
/// is not a denormal number for the means of at most 500 here.
double poisson(double mean, random::Stream& stream) {
  const double least = std::exp(-mean);
  double count = 0;
  for (double product = stream.uniform(); product >= least; product *= stream.uniform()) ++count;
  return count;
}

/// A disc of radius r in a square of side 17 (2 r + 1 for r > 8), its edge softened by a Gaussian of 3 (5) pixels.
std::vector<double> disc(double radius, double softness) {
  const auto reach = static_cast<std::ptrdiff_t>(radius <= 8 ? 8 : radius);
  const auto side = static_cast<std::size_t>(2 * reach + 1);
  Planes kernel{1, side, side, std::vector<double>(side * side, 0.0)};
  double sum = 0;
  for (std::ptrdiff_t y = -reach; y <= reach; ++y)
    for (std::ptrdiff_t x = -reach; x <= reach; ++x)
      if (static_cast<double>(x * x + y * y) <= radius * radius) {
        kernel.at(0, static_cast<std::size_t>(y + reach), static_cast<std::size_t>(x + reach)) = 1;
        ++sum;
      }
  for (double& value : kernel.values) value /= sum;
  const double pixels = radius <= 8 ? 1 : 2;  // on each side of the middle
  return blurred(kernel, softness, Border::reflect, pixels / softness).values;
}

constexpr double whole_gaussian = 4;  // standard deviations after which the published blurs cut their Gaussian

}  // namespace

Planes gaussian_noise(const Planes& image, Severity severity, random::Stream& stream) {
  constexpr Strengths<double> strengths = {{.04, .06, .08, .09, .10}, {.08, .12, .18, .26, .38}};
  Planes out = image;
  for (double& value : out.values) value += strengths[severity] * stream.normal();
  return out;
}

Planes shot_noise(const Planes& image, Severity severity, random::Stream& stream) {
  constexpr Strengths<double> photons = {{500, 250, 100, 75, 50}, {60, 25, 12, 5, 3}};
  Planes out = image;
  for (double& value : out.values) value = poisson(value * photons[severity], stream) / photons[severity];
  return out;
}

Planes impulse_noise(const Planes& image, Severity severity, random::Stream& stream) {
  constexpr Strengths<double> shares = {{.01, .02, .03, .05, .07}, {.03, .06, .09, .17, .27}};
  Planes out = image;
  for (double& value : out.values) {
    const double draw = stream.uniform() / shares[severity];
    if (draw < 1) value = draw < 0.5 ? 1 : 0;
  }
  return out;
}

Planes defocus_blur(const Planes& image, Severity severity, random::Stream& /*stream*/) {
  struct Disc {
    double radius, softness;
  };
  constexpr Strengths<Disc> discs = {{{.3, .4}, {.4, .5}, {.5, .6}, {1, .2}, {1.5, .1}},
                                     {{3, .1}, {4, .5}, {6, .5}, {8, .5}, {10, .5}}};
  return correlated(image, disc(discs[severity].radius, discs[severity].softness));
}

Planes glass_blur(const Planes& image, Severity severity, random::Stream& stream) {
  struct Glass {
    double sigma;
    int farthest, times;
  };
  constexpr Strengths<Glass> glasses = {{{.05, 1, 1}, {.25, 1, 1}, {.4, 1, 1}, {.25, 1, 2}, {.4, 1, 2}},
                                        {{.7, 1, 2}, {.9, 2, 1}, {1, 2, 3}, {1.1, 3, 2}, {1.5, 4, 2}}};
  const Glass glass = glasses[severity];
  const auto far = static_cast<std::size_t>(glass.farthest);
  Planes out = blurred(image, glass.sigma, Border::nearest, whole_gaussian);
  const auto moved_by = [&] { return stream.integer(2 * far); };  // from -far to far - 1, as published
  for (int time = 0; time < glass.times; ++time)
    for (std::size_t y = out.rows - far; y > far; --y)
      for (std::size_t x = out.columns - far; x > far; --x) {
        const std::size_t right = x + moved_by() - far, down = y + moved_by() - far;
        for (std::size_t c = 0; c < out.channels; ++c) std::swap(out.at(c, y, x), out.at(c, down, right));
      }
  return blurred(out, glass.sigma, Border::nearest, whole_gaussian);
}

Planes motion_blur(const Planes& image, Severity severity, random::Stream& stream) {
  struct Motion {
    double radius, sigma;
  };
  constexpr Strengths<Motion> motions = {{{6, 1}, {6, 1.5}, {6, 2}, {8, 2}, {9, 2.5}},
                                         {{10, 3}, {15, 5}, {15, 8}, {15, 12}, {20, 15}}};
  return moved(image, motions[severity].radius, motions[severity].sigma, stream.uniform(-45, 45));
}

Planes zoom_blur(const Planes& image, Severity severity, random::Stream& /*stream*/) {
  struct Zoom {
    int steps;  // 1, 1 + step, ...
    double step;
  };
  constexpr Strengths<Zoom> zooms = {{{7, .01}, {12, .01}, {16, .01}, {21, .01}, {26, .01}},
                                     {{12, .01}, {16, .01}, {11, .02}, {13, .02}, {11, .03}}};
  const Zoom zoom = zooms[severity];
  Planes out = image;
  for (int i = 0; i < zoom.steps; ++i) {
    const Planes one = zoomed(image, 1 + zoom.step * i);
    for (std::size_t k = 0; k < out.values.size(); ++k) out.values[k] += one.values[k];
  }
  for (double& value : out.values) value /= zoom.steps + 1;
  return out;
}

}  // namespace attest::data
