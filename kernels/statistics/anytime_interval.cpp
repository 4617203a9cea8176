#include "kernels/statistics/anytime_interval.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/statistics/confidence_sequence.hpp"

namespace attest::statistics {
namespace {

void require_level(const char* what, double alpha) {
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("{}: alpha = {} is not in (0, 1)", what, alpha));
}

}  // namespace

Interval anytime_mean_interval(const Welford& moments, const LawClass& known, double alpha) {
  switch (known.promise) {
    case Promise::range:
      return range_mean_interval(moments, known.within, alpha);
    case Promise::variance:
      return variance_mean_interval(moments, known.bound, alpha);
    case Promise::kurtosis:
      return kurtosis_mean_interval(moments, known.bound, alpha);
    case Promise::asymptotic:
      return asymptotic_mean_interval(moments, alpha);
    case Promise::symmetric:
      break;
  }
  throw std::invalid_argument("anytime_mean_interval: the moments do not tell an interval for symmetric laws");
}

Interval range_mean_interval(const Welford& moments, Range range, double alpha) {
  require_level("range_mean_interval", alpha);
  const double width = range.upper - range.lower;
  if (!(width > 0 && std::isfinite(width)))
    throw std::invalid_argument(
        fmt::format("range_mean_interval: [{}, {}] is not a bounded interval", range.lower, range.upper));
  if (moments.count() == 0) return {};
  const auto n = static_cast<double>(moments.count());
  const double unit = (moments.mean() - range.lower) / width;
  constexpr double rounding = 1e-9;  // of means of values that lie on an end
  if (!(unit >= -rounding && unit <= 1 + rounding))
    throw std::invalid_argument(fmt::format("range_mean_interval: the mean {} is outside the stated range [{}, {}]",
                                            moments.mean(), range.lower, range.upper));
  const double inside = std::clamp(unit, 0.0, 1.0), deviation = moments.sum_of_squares() / (n * width * width);
  const double lower = betting_lower_end(n, inside, deviation, alpha / 2, 0),
               upper = 1 - betting_lower_end(n, 1 - inside, deviation, alpha / 2, 0);
  return {range.lower + width * lower, range.lower + width * upper};
}

Interval asymptotic_mean_interval(const Welford& moments, double alpha) {
  require_level("asymptotic_mean_interval", alpha);
  if (moments.count() < asymptotic_burn_in || !(moments.sum_of_squares() > 0)) return {};
  const auto n = static_cast<double>(moments.count());
  // The Bayes factor is below 1/alpha where (1 + r)/(1 + r/(1 + n)) < q.
  const double q = std::exp((std::log1p(n) - 2 * std::log(alpha)) / n);
  if (!(q < 1 + n)) return {};
  const double r = (q - 1) / (1 - q / (1 + n));
  const double half = std::sqrt(r * moments.sum_of_squares() / n);
  return {moments.mean() - half, moments.mean() + half};
}

Interval anytime_share_interval(std::uint64_t successes, std::uint64_t trials, double alpha) {
  require_level("anytime_share_interval", alpha);
  if (trials == 0 || successes > trials)
    throw std::invalid_argument(fmt::format("anytime_share_interval: {} successes in {} trials", successes, trials));
  const auto n = static_cast<double>(trials), k = static_cast<double>(successes);
  const double log_bound =
      std::lgamma(k + 1) + std::lgamma(n - k + 1) - std::lgamma(n + 2) + std::log(alpha);  // of the likelihood
  const auto log_likelihood = [&](double p) {
    return (k > 0 ? k * std::log(p) : 0) + (n > k ? (n - k) * std::log1p(-p) : 0);
  };
  // The likelihood rises up to k/n and falls behind: bisection on either side, rounded outwards.
  const auto end = [&](double inside, double outside) {
    for (int i = 0; i < 200 && inside != outside; ++i) {
      const double middle = inside + (outside - inside) / 2;
      if (middle == inside || middle == outside) break;
      (log_likelihood(middle) > log_bound ? inside : outside) = middle;
    }
    return outside;
  };
  return {successes == 0 ? 0.0 : end(k / n, 0), successes == trials ? 1.0 : end(k / n, 1)};
}

}  // namespace attest::statistics
