#include "kernels/svr/feature_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <fmt/core.h>

namespace attest::svr {

std::uint64_t monomial_count(std::uint64_t dimension, std::uint64_t degree) {
  if (dimension == 0) throw std::invalid_argument("monomial_count: dimension is 0; it must be at least 1");
  // binom(D + t - 1, t) by the product over i = 1..t of (D - 1 + i) / i, each prefix being a binomial and so an
  // integer.
  const std::uint64_t smaller = std::min(degree, dimension - 1);
  const std::uint64_t top = dimension - 1 + degree;
  std::uint64_t count = 1;
  for (std::uint64_t i = 1; i <= smaller; ++i) {
    const std::uint64_t common = std::gcd(count, i);
    count /= common;
    const std::uint64_t factor = (top - smaller + i) / (i / common);
    if (count > std::numeric_limits<std::uint64_t>::max() / factor) {
      throw std::overflow_error(fmt::format(
          "monomial_count: binom({}, {}) does not fit 64 bits; lower the dimension or the degree", top, smaller));
    }
    count *= factor;
  }
  return count;
}

std::vector<std::vector<unsigned>> exponents(std::size_t dimension, unsigned degree) {
  std::vector<std::vector<unsigned>> list;
  list.reserve(monomial_count(dimension, degree));
  std::vector<unsigned> current(dimension, 0);
  current[0] = degree;
  while (true) {
    list.push_back(current);
    // Successor: take one from the last non-zero entry before the end and hand it on with all that stands at the end.
    std::size_t from = dimension;
    for (std::size_t d = 0; d + 1 < dimension; ++d) {
      if (current[d] > 0) from = d;
    }
    if (from == dimension) return list;
    const unsigned tail = current[dimension - 1];
    --current[from];
    current[dimension - 1] = 0;
    current[from + 1] = tail + 1;
  }
}

FeatureMap::FeatureMap(std::size_t dimension, unsigned degree, double scale) : dimension_(dimension), scale_(scale) {
  if (!std::isfinite(scale)) {
    throw std::invalid_argument(fmt::format("FeatureMap: scale is {}; it must be finite", scale));
  }
  for (unsigned t = 0; t <= degree; ++t) {
    for (auto& exponent : exponents(dimension, t)) exponents_.push_back(std::move(exponent));
  }
}

std::vector<double> FeatureMap::operator()(std::span<const double> x) const {
  if (x.size() != dimension_) {
    throw std::invalid_argument(
        fmt::format("FeatureMap: x has length {}; the map was built for dimension {}", x.size(), dimension_));
  }
  std::vector<double> features;
  features.reserve(exponents_.size());
  for (const auto& exponent : exponents_) {
    double feature = 1.0;
    for (std::size_t d = 0; d < dimension_; ++d) {
      // One factor s x_d / sqrt(k) at a time: neither the power nor the factorial can overflow alone.
      for (unsigned k = 1; k <= exponent[d]; ++k) feature *= scale_ * x[d] / std::sqrt(static_cast<double>(k));
    }
    features.push_back(feature);
  }
  return features;
}

double truncated_exponential(double u, unsigned degree) {
  double sum = 1.0;  // Horner: 1 + u (1 + u/2 (1 + u/3 (...)))
  for (unsigned t = degree; t >= 1; --t) sum = 1.0 + u / t * sum;
  return sum;
}

double truncation_bound(double u, unsigned degree) {
  double bound = std::exp(std::max(u, 0.0));
  for (unsigned t = 1; t <= degree + 1; ++t) bound *= std::abs(u) / t;
  return bound;
}

}  // namespace attest::svr
