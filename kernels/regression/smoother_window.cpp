#include "kernels/regression/smoother_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"

namespace attest::regression {
namespace {

constexpr std::size_t block_points = 256;

void check(std::span<const double> design, std::span<const double> responses, double h) {
  if (!(h > 0)) throw std::invalid_argument(fmt::format("nadaraya_watson_within: h = {} must be positive", h));
  if (design.size() != responses.size())
    throw std::invalid_argument(fmt::format("nadaraya_watson_within: {} design points but {} responses; give as many",
                                            design.size(), responses.size()));
  if (!std::is_sorted(design.begin(), design.end()))
    throw std::invalid_argument("nadaraya_watson_within: the design must be sorted increasingly");
}

/// 2 K + K*K, which is at least |L| for each form.
double envelope(const Kernel& kernel, double u) { return 2 * kernel.value(u) + kernel.self_convolution(u); }

}  // namespace

CutOff cut_off(const Kernel& kernel, Form form, double weight) {
  if (std::isfinite(kernel.radius(form))) return {kernel.radius(form), 0};
  constexpr double least = 6, most = 1e6;
  double low = least, high = least;
  while (high < most && !(envelope(kernel, high) <= weight)) {
    low = high;
    high = std::min(2 * high, most);
  }
  // To a hundredth: a closer cut would save nothing that can be seen.
  while (high - low > 0.01) {
    const double middle = (low + high) / 2;
    (envelope(kernel, middle) <= weight ? high : low) = middle;
  }
  return {high, envelope(kernel, high)};
}

WindowedFit nadaraya_watson_within(const CutOff& cut, const Kernel& kernel, Form form, std::span<const double> design,
                                   std::span<const double> responses, std::span<const double> points, double h,
                                   unsigned threads) {
  check(design, responses, h);
  double largest = 0;
  for (const double y : responses) largest = std::max(largest, std::fabs(y));
  WindowedFit fit{std::vector<double>(points.size()), std::vector<double>(points.size()), 0};
  const std::size_t blocks = (points.size() + block_points - 1) / block_points;
  std::vector<std::size_t> visited(blocks);
  parallel::for_each_block(static_cast<std::int64_t>(blocks), threads, [&](std::int64_t number) {
    const auto block = static_cast<std::size_t>(number);
    for (std::size_t i = block * block_points; i < std::min(points.size(), (block + 1) * block_points); ++i) {
      const double x = points[i], reach = cut.radius * h;
      const auto begin = std::lower_bound(design.begin(), design.end(), x - reach);
      const auto end = std::upper_bound(begin, design.end(), x + reach);
      double total = 0, weighted = 0;
      for (auto at = begin; at != end; ++at) {
        const double weight = kernel(form, (x - *at) / h);
        total += weight;
        weighted += weight * responses[static_cast<std::size_t>(at - design.begin())];
      }
      const auto kept = static_cast<std::size_t>(end - begin);
      const double left_out = static_cast<double>(design.size() - kept) * cut.largest_beyond;
      visited[block] += kept;
      fit.fitted[i] = weighted / total;  // 0/0 without weight
      const double left = std::fabs(total) - left_out;
      if (left_out == 0) continue;
      fit.bounds[i] =
          left > 0 ? left_out * (largest + std::fabs(fit.fitted[i])) / left : std::numeric_limits<double>::infinity();
    }
  });
  for (const std::size_t count : visited) fit.visited += count;
  return fit;
}

}  // namespace attest::regression
