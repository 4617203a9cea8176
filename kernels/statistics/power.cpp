#include "kernels/statistics/power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::statistics {

double smallest_caught_excess(const MeanTest& test, double false_pass) {
  const double width = test.range.upper - test.range.lower;
  if (!(width > 0 && std::isfinite(width) && test.bound >= test.range.lower && test.bound <= test.range.upper))
    throw std::invalid_argument(fmt::format("smallest_caught_excess: bound {} is not inside the range [{}, {}]",
                                            test.bound, test.range.lower, test.range.upper));
  if (!(test.alpha > 0 && test.alpha < 1 && false_pass > 0 && false_pass < 1))
    throw std::invalid_argument(
        fmt::format("smallest_caught_excess: alpha = {} or false_pass = {} is not in (0, 1)", test.alpha, false_pass));
  if (!(test.max_samples >= 2 && test.variance >= 0))
    throw std::invalid_argument(
        fmt::format("smallest_caught_excess: {} samples of variance {} make no test", test.max_samples, test.variance));
  const double n = test.max_samples;
  const double log_level = std::log(2 / false_pass);
  const double variance = std::min(test.variance / (width * width), 0.25);
  const double shortfall = std::sqrt(2 * variance * log_level / n) + log_level / (3 * n);
  const double spread = std::min(0.5, std::sqrt(variance) + std::sqrt(2 * log_level / (n - 1)));
  const double bound = (test.bound - test.range.lower) / width;
  const auto caught = [&](double excess) {
    const double mean = bound + excess - shortfall;
    return mean > bound && betting_lower_end(n, mean, spread * spread, test.alpha, 0) > bound;
  };
  double missed = 0, found = 1 - bound;
  if (!caught(found)) return std::numeric_limits<double>::infinity();
  for (int i = 0; i < 40; ++i) {
    const double middle = missed + (found - missed) / 2;
    (caught(middle) ? found : missed) = middle;
  }
  return found * width;
}

}  // namespace attest::statistics
