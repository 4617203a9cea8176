#include "simulations/measure/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/core.h>

#include "kernels/statistics/clopper_pearson.hpp"
#include "kernels/statistics/student.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::measure {
namespace {

double half_width(const statistics::Welford& values) {
  return statistics::student_half_width(values, 1 - confidence_level);
}

statistics::Welford accumulate(std::span<const double> values) {
  if (values.size() < 2) {
    throw std::invalid_argument(
        fmt::format("an interval needs at least 2 units and has {}; measure more", values.size()));
  }
  statistics::Welford result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw std::invalid_argument(
          fmt::format("the value of unit {} is {}; an estimate needs finite values", i, values[i]));
    }
    result.add(values[i]);
  }
  return result;
}

}  // namespace

Estimate mean_estimate(std::span<const double> values) {
  const statistics::Welford all = accumulate(values);
  const double half = half_width(all);
  return {all.mean(), all.mean() - half, all.mean() + half, static_cast<std::int64_t>(values.size())};
}

Estimate median_estimate(std::vector<double> values) {
  accumulate(values);  // refuses what cannot be ordered
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  // P(at most k of n values below the median) = 2^-n sum_{i <= k} binomial(n, i), summed while it stays below the tail.
  std::size_t below = 0;
  double probability = std::exp2(-static_cast<double>(n));
  double tail = probability;
  while (tail <= (1 - confidence_level) / 2) {
    ++below;
    probability *= static_cast<double>(n - below + 1) / static_cast<double>(below);
    tail += probability;
  }
  const std::size_t index = below == 0 ? 0 : below - 1;
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values[index], values[n - 1 - index],
          static_cast<std::int64_t>(n)};
}

Estimate ratio_estimate(std::span<const double> numerators, std::span<const double> denominators) {
  if (numerators.size() != denominators.size()) {
    throw std::invalid_argument(fmt::format("{} numerators and {} denominators; give one of each per unit",
                                            numerators.size(), denominators.size()));
  }
  const double below = accumulate(denominators).mean();
  const double ratio = accumulate(numerators).mean() / below;
  if (!std::isfinite(ratio))
    throw std::invalid_argument("the denominators of a ratio sum to 0; measure units where it exists");
  std::vector<double> residuals(numerators.size());
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = numerators[i] - ratio * denominators[i];
  const double half = half_width(accumulate(residuals)) / std::abs(below);
  return {ratio, ratio - half, ratio + half, static_cast<std::int64_t>(numerators.size())};
}

Estimate share_estimate(std::int64_t successes, std::int64_t units) {
  const auto interval = statistics::clopper_pearson(static_cast<std::uint64_t>(successes),
                                                    static_cast<std::uint64_t>(units), 1 - confidence_level);
  return {static_cast<double>(successes) / static_cast<double>(units), interval.lower, interval.upper, units};
}

std::string to_text(const Estimate& estimate) {
  const double width = estimate.upper - estimate.lower;
  const double size = std::max(std::abs(estimate.lower), std::abs(estimate.upper));
  // Two digits of the width are what the sample can tell; four of the value where there is no width.
  const double unit = width > 0 ? width / 10 : size / 1000;
  const bool lost = estimate.value != 0 && std::abs(estimate.value) < unit / 2;  // all its digits would be rounded away
  if (lost || (size > 0 && (size < 1e-3 || size >= 1e7))) {
    return fmt::format("{:.2e} [{:.2e}, {:.2e}]", estimate.value, estimate.lower, estimate.upper);
  }
  const int decimals = unit > 0 ? static_cast<int>(std::clamp(std::ceil(-std::log10(unit)), 0.0, 6.0)) : 0;
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", estimate.value, decimals, estimate.lower, decimals, estimate.upper,
                     decimals);
}

std::string to_percent(const Estimate& share) {
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * share.value, 100 * share.lower, 100 * share.upper);
}

}  // namespace attest::measure
