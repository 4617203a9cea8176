// Images as real numbers, and what several corruptions do with them.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/random/stream.hpp"

namespace attest::data {

/// [channel][row][column]; 0 is black, 1 white.
struct Planes {
  std::size_t channels = 1, rows = 0, columns = 0;
  std::vector<double> values;

  double& at(std::size_t channel, std::size_t row, std::size_t column) {
    return values[(channel * rows + row) * columns + column];
  }
  double at(std::size_t channel, std::size_t row, std::size_t column) const {
    return values[(channel * rows + row) * columns + column];
  }
  std::size_t side() const { return rows < columns ? rows : columns; }
};

/// What lies beyond the border: the last pixel again and again (a a | a b c), the picture mirrored with its border
/// pixel (b a | a b c), or without (c b | a b c).
enum class Border { nearest, symmetric, reflect };

/// The place inside 0 .. size - 1 that stands for `place`. Precondition: size > 0.
std::size_t inside(std::ptrdiff_t place, std::size_t size, Border border);

/// Convolution with a Gaussian, cut at `reach` standard deviations; itself for sigma = 0.
Planes blurred(const Planes& image, double sigma, Border border, double reach);

/// Sum over kernel[y][x] image[row + y - middle][column + x - middle] for a square kernel of odd side, mirrored beyond
/// the border without its pixel.
Planes correlated(const Planes& image, const std::vector<double>& kernel);

/// Linear interpolation between the four pixels around (row, column).
double interpolated(const Planes& image, std::size_t channel, double row, double column, Border border);

/// The middle of the picture, magnified `factor` >= 1 times by linear interpolation to its old size.
Planes zoomed(const Planes& image, double factor);

/// Motion by ImageMagick's rule: the mean of width = 2 ceil(radius) + 1 pixels along a line from the pixel at `degrees`
/// from the horizontal, with weights exp(-i^2/(2 sigma^2)).
Planes moved(const Planes& image, double radius, double sigma, double degrees);

/// Diamond-square heights on a torus, [0, 1], cut to rows x columns from the smallest power of two that holds them;
/// noise shrinks by `decay` from scale to scale.
Planes plasma(std::size_t rows, std::size_t columns, double decay, random::Stream& stream);

}  // namespace attest::data
