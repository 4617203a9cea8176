#include "simulations/tokens/positions.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

namespace attest::tokens {

Eigen::MatrixXd sinusoidal_positions(Eigen::Index n, Eigen::Index d, double base) {
  if (n < 1 || d < 2 || d % 2 != 0) {
    throw std::invalid_argument(
        fmt::format("sinusoidal positions need at least one row and an even number of features; got {} x {}", n, d));
  }
  Eigen::MatrixXd positions(n, d);
  for (Eigen::Index t = 0; t < d / 2; ++t) {
    const double wavelength = std::pow(base, 2.0 * static_cast<double>(t) / static_cast<double>(d));
    for (Eigen::Index i = 0; i < n; ++i) {
      const double angle = static_cast<double>(i) / wavelength;
      positions(i, 2 * t) = std::sin(angle);
      positions(i, 2 * t + 1) = std::cos(angle);
    }
  }
  return positions;
}

}  // namespace attest::tokens
