#include "simulations/data/corruptions/planes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attest::data {

std::size_t inside(std::ptrdiff_t place, std::size_t size, Border border) {
  const auto n = static_cast<std::ptrdiff_t>(size);
  if (border == Border::nearest || n == 1) return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, n - 1));
  const std::ptrdiff_t period = border == Border::symmetric ? 2 * n : 2 * n - 2;
  const std::ptrdiff_t within = (place % period + period) % period;
  const std::ptrdiff_t back = border == Border::symmetric ? period - 1 - within : period - within;
  return static_cast<std::size_t>(within < n ? within : back);
}

namespace {

/// out[row][column] = sum over i of weights[i] image[row + (i - middle) down][column + (i - middle) right].
Planes along(const Planes& image, const std::vector<double>& weights, std::ptrdiff_t down, std::ptrdiff_t right,
             Border border) {
  const auto middle = static_cast<std::ptrdiff_t>(weights.size() / 2);
  Planes out = image;
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t y = 0; y < image.rows; ++y)
      for (std::size_t x = 0; x < image.columns; ++x) {
        double sum = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
          const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(i) - middle;
          sum += weights[i] * image.at(c, inside(static_cast<std::ptrdiff_t>(y) + step * down, image.rows, border),
                                       inside(static_cast<std::ptrdiff_t>(x) + step * right, image.columns, border));
        }
        out.at(c, y, x) = sum;
      }
  return out;
}

void normalise(std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
}

}  // namespace

Planes blurred(const Planes& image, double sigma, Border border, double reach) {
  const auto radius = static_cast<std::ptrdiff_t>(std::floor(reach * sigma + 0.5));
  if (radius < 1) return image;
  std::vector<double> weights;
  for (std::ptrdiff_t i = -radius; i <= radius; ++i)
    weights.push_back(std::exp(-0.5 * static_cast<double>(i * i) / (sigma * sigma)));
  normalise(weights);
  return along(along(image, weights, 1, 0, border), weights, 0, 1, border);
}

Planes correlated(const Planes& image, const std::vector<double>& kernel) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(kernel.size()))));
  Planes out = image;
  std::fill(out.values.begin(), out.values.end(), 0.0);
  const auto middle = static_cast<std::ptrdiff_t>(side / 2);
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    // Discs are mostly empty.
    if (kernel[i] == 0) continue;
    const std::ptrdiff_t down = static_cast<std::ptrdiff_t>(i / side) - middle,
                         right = static_cast<std::ptrdiff_t>(i % side) - middle;
    for (std::size_t c = 0; c < image.channels; ++c)
      for (std::size_t y = 0; y < image.rows; ++y)
        for (std::size_t x = 0; x < image.columns; ++x)
          out.at(c, y, x) +=
              kernel[i] * image.at(c, inside(static_cast<std::ptrdiff_t>(y) + down, image.rows, Border::reflect),
                                   inside(static_cast<std::ptrdiff_t>(x) + right, image.columns, Border::reflect));
  }
  return out;
}

double interpolated(const Planes& image, std::size_t channel, double row, double column, Border border) {
  const double top = std::floor(row), left = std::floor(column);
  const double down = row - top, right = column - left;
  const auto pixel = [&](std::ptrdiff_t dy, std::ptrdiff_t dx) {
    return image.at(channel, inside(static_cast<std::ptrdiff_t>(top) + dy, image.rows, border),
                    inside(static_cast<std::ptrdiff_t>(left) + dx, image.columns, border));
  };
  return (1 - down) * ((1 - right) * pixel(0, 0) + right * pixel(0, 1)) +
         down * ((1 - right) * pixel(1, 0) + right * pixel(1, 1));
}

Planes zoomed(const Planes& image, double factor) {
  // Along one axis: the middle ceil(n/factor) pixels are stretched, end onto end, and the middle n of the result kept.
  struct Axis {
    double first, step;
  };
  const auto axis = [&](std::size_t size) {
    const auto n = static_cast<double>(size);
    const double kept = std::ceil(n / factor), start = std::floor((n - kept) / 2),
                 stretched = std::max(n, std::round(kept * factor)), trim = std::floor((stretched - n) / 2);
    const double step = stretched > 1 ? (kept - 1) / (stretched - 1) : 0;
    return Axis{start + trim * step, step};
  };
  const Axis down = axis(image.rows), right = axis(image.columns);
  Planes out = image;
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t y = 0; y < image.rows; ++y)
      for (std::size_t x = 0; x < image.columns; ++x)
        out.at(c, y, x) = interpolated(image, c, down.first + static_cast<double>(y) * down.step,
                                       right.first + static_cast<double>(x) * right.step, Border::nearest);
  return out;
}

Planes moved(const Planes& image, double radius, double sigma, double degrees) {
  const auto width = static_cast<std::ptrdiff_t>(2 * std::ceil(radius) + 1);
  std::vector<double> weights;
  for (std::ptrdiff_t i = 0; i < width; ++i)
    weights.push_back(std::exp(-static_cast<double>(i * i) / (2 * sigma * sigma)));
  normalise(weights);
  const double angle = degrees * std::numbers::pi / 180;
  Planes out = image;
  for (std::size_t c = 0; c < image.channels; ++c)
    for (std::size_t y = 0; y < image.rows; ++y)
      for (std::size_t x = 0; x < image.columns; ++x) {
        double sum = 0;
        for (std::ptrdiff_t i = 0; i < width; ++i) {
          const auto far = static_cast<double>(i);
          const auto right = static_cast<std::ptrdiff_t>(std::ceil(far * std::cos(angle) - 0.5)),
                     down = static_cast<std::ptrdiff_t>(std::ceil(far * std::sin(angle) - 0.5));
          sum += weights[static_cast<std::size_t>(i)] *
                 image.at(c, inside(static_cast<std::ptrdiff_t>(y) + down, image.rows, Border::nearest),
                          inside(static_cast<std::ptrdiff_t>(x) + right, image.columns, Border::nearest));
        }
        out.at(c, y, x) = sum;
      }
  return out;
}

Planes plasma(std::size_t rows, std::size_t columns, double decay, random::Stream& stream) {
  std::size_t size = 2;
  while (size < std::max(rows, columns)) size *= 2;
  Planes map{1, size, size, std::vector<double>(size * size, 0.0)};
  double wibble = 100;
  const auto wrapped = [&](std::size_t y, std::size_t x) { return map.at(0, y % size, x % size); };
  const auto mean = [&](double sum) { return sum / 4 + wibble * stream.uniform(-wibble, wibble); };
  for (std::size_t step = size; step >= 2; step /= 2, wibble /= decay) {
    const std::size_t half = step / 2;
    for (std::size_t y = 0; y < size; y += step)
      for (std::size_t x = 0; x < size; x += step)
        map.at(0, y + half, x + half) =
            mean(wrapped(y, x) + wrapped(y + step, x) + wrapped(y, x + step) + wrapped(y + step, x + step));
    for (std::size_t y = 0; y < size; y += step)
      for (std::size_t x = 0; x < size; x += step) {
        map.at(0, y, x + half) = mean(wrapped(y, x) + wrapped(y, x + step) + wrapped(y + half, x + half) +
                                      wrapped(y + size - half, x + half));
        map.at(0, y + half, x) = mean(wrapped(y, x) + wrapped(y + step, x) + wrapped(y + half, x + half) +
                                      wrapped(y + half, x + size - half));
      }
  }
  const auto [least, greatest] = std::minmax_element(map.values.begin(), map.values.end());
  const double low = *least, range = *greatest - *least;
  Planes out{1, rows, columns, std::vector<double>(rows * columns)};
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) out.at(0, y, x) = range > 0 ? (map.at(0, y, x) - low) / range : 0;
  return out;
}

}  // namespace attest::data
