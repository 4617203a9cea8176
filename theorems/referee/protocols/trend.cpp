#include "theorems/referee/protocols/trend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attest::referee {

Trend trend_of(const std::vector<double>& gaps) {
  const std::size_t n = gaps.size();
  if (n < 8) return {};
  const double last = gaps[n - 1];
  Trend trend{.settles_at = last};
  const auto size = [&](std::size_t i) { return std::abs(gaps[i]); };
  if (size(n - 1) < 1e-12) {
    trend.to_zero = true;
    return trend;
  }
  // Steady fall: over the last half of the grid the gap falls at each step to a share of what it was; a gap like 1/log
  // n falls by k/(k+1) at step k, which the sum of shares tells from one that settles.
  const std::size_t from = n / 2;
  bool falls = true;
  for (std::size_t i = from + 1; i < n; ++i) falls &= size(i) < size(i - 1);
  // Changes: for a sequence that settles at g they shrink while g stays; extrapolate twice.
  const auto aitken = [&](std::size_t i) {
    const double d1 = gaps[i - 1] - gaps[i - 2], d2 = gaps[i] - gaps[i - 1];
    return d2 == d1 ? gaps[i] : gaps[i] - d2 * d2 / (d2 - d1);
  };
  // In powers of 1/k (a sequence in 1/log n): the last two by Richardson in 1/k.
  const auto in_log = [&](std::size_t i) {
    const auto k = static_cast<double>(i + 1);
    return k * gaps[i] - (k - 1) * gaps[i - 1];
  };
  const double geometric = aitken(n - 1), geometric_before = aitken(n - 3);
  const double logarithmic = in_log(n - 1);
  const double change = std::abs(gaps[n - 1] - gaps[n - 2]);
  // Changes that grow, as of -1 + b r^k with r > 1, lead away from what either extrapolation finds.
  constexpr double of_rounding = 1e-14;
  const auto changed = [&](std::size_t i) { return std::abs(gaps[i] - gaps[i - 1]); };
  const bool shrinks = changed(n - 1) <= std::max(changed(n - 2), of_rounding * size(n - 1)) &&
                       changed(n - 1) <= std::max(changed(from + 1), of_rounding * size(n - 1));
  // Gaps a + b/k + ... may be on their way through 0: extrapolations in 1/k that stay where they are, off 0, say so.
  bool passes = n >= 16 && std::abs(logarithmic) > 0.5 * size(n - 1);
  for (std::size_t j = 1; j <= 2 && passes; ++j)
    passes = std::abs(in_log(n - 1 - j) - logarithmic) <= 0.05 * std::abs(logarithmic);
  // Gaps a + b r^k fall for long before a shows: there Aitken's values stay at a, where those of a fall to 0 fall too.
  bool extrapolated = shrinks && std::abs(geometric) > 1e-9 * size(n - 1);
  for (std::size_t j = 1; j <= 2 && extrapolated; ++j)
    extrapolated = std::abs(aitken(n - 1 - j) - geometric) <= extrapolation_agreement * std::abs(geometric);
  // Gaps a + b/k likewise, to more digits: those of 1/k^0.1, which falls to 0, differ by 0.1/k from one to the next.
  constexpr double same_in_logarithms = 1e-6;
  bool in_logarithms = !extrapolated && n >= 16 && shrinks && std::abs(logarithmic) > 1e-9 * size(n - 1);
  for (std::size_t j = 1; j <= 2 && in_logarithms; ++j)
    in_logarithms = std::abs(in_log(n - 1 - j) - logarithmic) <= same_in_logarithms * std::abs(logarithmic);
  if (falls && !extrapolated && !in_logarithms && !passes &&
      (std::abs(geometric) < 0.02 * size(n - 1) || size(n - 1) < 0.25 * size(from) ||
       (std::abs(logarithmic) < 0.2 * size(n - 1) && size(n - 1) < 0.75 * size(from))))
    trend.to_zero = true;
  // Settled: both extrapolations and the last value agree to a hundredth of the value, and the changes shrink.
  const bool settled = shrinks && std::abs(geometric - last) < 0.01 * std::abs(last) &&
                       std::abs(geometric_before - geometric) < 0.01 * std::abs(last) &&
                       std::abs(logarithmic - last) < 0.1 * std::abs(last) && change < 1e-3 * std::abs(last);
  bool grows = size(n - 1) > 1;
  for (std::size_t i = from + 1; i < n; ++i) grows &= size(i) > size(i - 1);
  grows = grows && size(n - 1) > 1.5 * size(from);
  trend.away = !trend.to_zero && n >= 16 && (settled || extrapolated || in_logarithms || grows);
  if (settled || extrapolated) trend.settles_at = geometric;
  if (in_logarithms) trend.settles_at = logarithmic;
  return trend;
}

Growth growth_of(const std::vector<double>& logarithms) {
  Growth growth;
  const std::size_t n = logarithms.size();
  if (n < 8) return growth;
  growth.last_ratio = std::exp(std::min(logarithms.back(), 700.0));
  const std::size_t from = n / 2;
  double largest_step = -1e300, least_step = 1e300;
  for (std::size_t i = from + 1; i < n; ++i) {
    largest_step = std::max(largest_step, logarithms[i] - logarithms[i - 1]);
    least_step = std::min(least_step, logarithms[i] - logarithms[i - 1]);
  }
  const double last_step = logarithms[n - 1] - logarithms[n - 2], first_step = logarithms[from + 1] - logarithms[from];
  // A power n^c has equal steps c log 2; (log n)^c has steps about c/k, which times k stay equal.
  const double last_times_k = last_step * static_cast<double>(n - 1),
               first_times_k = first_step * static_cast<double>(from + 1);
  const bool like_power = least_step > 0 && last_step > 0.9 * first_step && last_step > 1e-3;
  const bool like_log = least_step > 0 && last_times_k > 0.85 * first_times_k && last_times_k > 0.1;
  // Steps c/k that times k stay equal are of (log n)^c, which is not bounded however small c is.
  constexpr double of_rounding = 1e-12;
  const bool like_slow_log = last_step > of_rounding && last_times_k > 0.95 * first_times_k;
  const bool settles =
      !like_slow_log && std::abs(last_times_k) < 0.02 && std::abs(last_step) <= std::abs(first_step) + of_rounding;
  growth.bounded = largest_step <= 0 || settles || (last_step > 0 && last_step < 0.25 * first_step) ||
                   logarithms[n - 1] <= logarithms[from];
  growth.unbounded = !growth.bounded && n >= 16 && (like_power || like_log);
  return growth;
}

}  // namespace attest::referee
