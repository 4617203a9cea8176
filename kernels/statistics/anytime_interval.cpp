#include "kernels/statistics/anytime_interval.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::statistics {
namespace {

void require_level(const char* what, double alpha) {
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("{}: alpha = {} is not in (0, 1)", what, alpha));
}

}  // namespace

Interval anytime_mean_interval(const Welford& moments, double alpha) {
  require_level("anytime_mean_interval", alpha);
  if (moments.count() < 2) return {};
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
