#include "kernels/svr/point_kernels.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/simd/lanes.hpp"

namespace attest::svr {
namespace {

using V = simd::Lanes<double, 32>;

// Coordinate k of all points together, padded to whole registers.
struct Coordinates {
  std::size_t n, padded, dimension;
  std::vector<double> values;

  const double* of(std::size_t k) const { return values.data() + k * padded; }
};

Coordinates transposed(const std::vector<double>& points, std::size_t dimension) {
  const std::size_t n = points.size() / dimension;
  Coordinates x{n, (n + V::count - 1) / V::count * V::count, dimension, {}};
  x.values.assign(x.padded * dimension, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < dimension; ++k) x.values[k * x.padded + i] = points[i * dimension + k];
  return x;
}

V kernel(const Coordinates& x, std::size_t i, std::size_t j, double gamma) {
  V squares(0.0);
  for (std::size_t k = 0; k < x.dimension; ++k) {
    const V difference = V::load(x.of(k) + i) - V(x.of(k)[j]);
    squares = fused(difference, difference, squares);
  }
  return elementary::exponential_steps<double>(V(-gamma) * squares);
}

}  // namespace

Gram gaussian_gram(const std::vector<double>& points, std::size_t dimension, double gamma, std::size_t kept_columns) {
  if (dimension == 0 || points.empty() || points.size() % dimension != 0)
    throw std::invalid_argument(fmt::format("gaussian_gram: {} coordinates are not a positive multiple of dimension {}",
                                            points.size(), dimension));
  for (const double coordinate : points)
    if (!std::isfinite(coordinate))
      throw std::invalid_argument(fmt::format("gaussian_gram: a coordinate is {}, give finite ones", coordinate));
  if (!(gamma > 0 && std::isfinite(gamma)))
    throw std::invalid_argument(fmt::format("gaussian_gram: gamma is {}, give a positive number", gamma));
  auto column = [x = transposed(points, dimension), gamma](std::size_t j, std::span<double> to) {
    std::size_t i = 0;
    for (; i + V::count <= x.n; i += V::count) kernel(x, i, j, gamma).store(to.data() + i);
    double last[V::count];
    if (i < x.n) kernel(x, i, j, gamma).store(last);
    std::copy_n(last, x.n - i, to.data() + i);
  };
  return Gram::by_columns(std::vector<double>(points.size() / dimension, 1.0), std::move(column), kept_columns);
}

}  // namespace attest::svr
