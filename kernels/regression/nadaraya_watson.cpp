#include "kernels/regression/nadaraya_watson.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::regression {
namespace {

void require_design(std::span<const double> design, double h) {
  if (!(h > 0.0)) throw std::invalid_argument(fmt::format("nadaraya_watson: bandwidth h = {} must be positive", h));
  if (!std::is_sorted(design.begin(), design.end())) {
    throw std::invalid_argument("nadaraya_watson: the design must be sorted increasingly");
  }
}

/// The part of the sorted design within `reach` of x, as an index range.
struct Window {
  std::size_t first;
  std::size_t last;
};

Window window(std::span<const double> design, double x, double reach) {
  const auto first = std::lower_bound(design.begin(), design.end(), x - reach);
  const auto last = std::upper_bound(first, design.end(), x + reach);
  return {static_cast<std::size_t>(first - design.begin()), static_cast<std::size_t>(last - design.begin())};
}

}  // namespace

std::vector<double> nadaraya_watson(const Kernel& kernel, Form form, std::span<const double> design,
                                    std::span<const double> responses, std::span<const double> points, double h) {
  require_design(design, h);
  if (design.size() != responses.size()) {
    throw std::invalid_argument(
        fmt::format("nadaraya_watson: {} design points but {} responses; give one response a point", design.size(),
                    responses.size()));
  }
  std::vector<double> fitted(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Window near = window(design, points[i], h * kernel.radius(form));
    double total = 0.0;
    double weighted = 0.0;
    for (std::size_t j = near.first; j < near.last; ++j) {
      const double weight = kernel(form, (points[i] - design[j]) / h);
      total += weight;
      weighted += weight * responses[j];
    }
    fitted[i] = weighted / total;  // 0/0 for an empty window: NaN, as documented
  }
  return fitted;
}

Eigen::MatrixXd convolution_matrix(const Kernel& kernel, Form form, std::span<const double> design,
                                   std::span<const double> points, double h, double step) {
  require_design(design, h);
  Eigen::MatrixXd weights(points.size(), design.size());
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
      const double distance = points[static_cast<std::size_t>(i)] - design[static_cast<std::size_t>(j)];
      weights(i, j) = kernel(form, distance / h) * step / h;
    }
  }
  return weights;
}

Eigen::MatrixXd smoother_matrix(const Kernel& kernel, Form form, std::span<const double> design,
                                std::span<const double> points, double h) {
  Eigen::MatrixXd weights = convolution_matrix(kernel, form, design, points, h, 1.0);
  for (Eigen::Index i = 0; i < weights.rows(); ++i) weights.row(i) /= weights.row(i).sum();
  return weights;
}

}  // namespace attest::regression
