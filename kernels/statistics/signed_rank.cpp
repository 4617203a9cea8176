#include "kernels/statistics/signed_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"

namespace attest::statistics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::array<double, 9> slopes = {0.0005, 0.0014, 0.004, 0.012, 0.035, 0.1, 0.3, 0.8, 2};  // l
/// Of the slopes' bets, and last of the one on the sign alone.
constexpr std::array<double, slopes.size() + 1> weights = {0.004, 0.005, 0.007, 0.010, 0.014,
                                                           0.020, 0.18,  0.18,  0.18,  0.4};

/// Above what rounding does to a sum of up to 2^20 logarithms of factors of at most 2.
constexpr double rounding_slack = 1e-9;

void require(std::span<const double> observations, double alpha) {
  if (!(alpha > 0 && alpha < 1))
    throw std::invalid_argument(fmt::format("signed_rank_interval: alpha = {} is not in (0, 1)", alpha));
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (!std::isfinite(observations[i]))
      throw std::invalid_argument(fmt::format("signed rank: observation {} is {}", i, observations[i]));
}

/// Of each size the number of sizes up to it in the list that are no larger, itself among them, in n log n steps.
std::vector<std::size_t> running_ranks(const std::vector<double>& sizes) {
  std::vector<std::pair<double, std::size_t>> sorted(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sorted[i] = {sizes[i], i};
  std::ranges::sort(sorted);
  std::vector<std::size_t> places(sizes.size()), ranks(sizes.size());
  for (std::size_t place = 0; place < sorted.size(); ++place) places[sorted[place].second] = place;
  std::vector<std::size_t> counts(sizes.size() + 1, 0);  // of the places seen, a Fenwick tree
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t at = places[i] + 1; at < counts.size(); at += at & (~at + 1)) ++counts[at];
    for (std::size_t at = places[i] + 1; at > 0; at -= at & (~at + 1)) ranks[i] += counts[at];
  }
  return ranks;
}

/// The upper quantile of |N(0, 1)| at `share`.
double normal_size(double share) {
  using boost::math::policies::policy, boost::math::policies::promote_double;
  return std::numbers::sqrt2 * boost::math::erf_inv(share, policy<promote_double<false>>());
}

/// use(log capital) after each observation, until it says that it has seen enough.
template <typename Use>
void for_each_log_capital(std::span<const double> observations, double centre, const Use& use) {
  std::vector<double> sizes(observations.size());
  std::ranges::transform(observations, sizes.begin(), [&](double x) { return std::fabs(x - centre); });
  const std::vector<std::size_t> ranks = running_ranks(sizes);
  std::array<double, weights.size()> wealth = weights;  // of each bet, times exp(-log_scale)
  double log_scale = 0;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const double y = observations[i] - centre;
    if (y != 0) {
      const double z = normal_size((static_cast<double>(ranks[i]) - 0.5) / static_cast<double>(i + 1));
      // 1 + tanh(l z) = 2 / (1 + exp(-2 l z)), and likewise with -z for 1 - tanh.
      const double exponent = std::copysign(2 * z, -y);
      for (std::size_t k = 0; k < slopes.size(); ++k)
        wealth[k] *= 2 / (1 + elementary::exponential(exponent * slopes[k]));
      wealth.back() *= y > 0 ? 2 : 0;
    }
    const double sum = std::accumulate(wealth.begin(), wealth.end(), 0.0);
    if (use(log_scale + std::log(sum) - rounding_slack)) return;
    constexpr double large = 1e100;
    if (sum > large || sum < 1 / large) {
      for (double& one : wealth) one /= sum;
      log_scale += std::log(sum);
    }
  }
}

/// The largest centre that betting on "above" has excluded; -infinity where none.
double lower_end(std::span<const double> observations, double log_level) {
  const auto excluded = [&](double centre) {
    bool reached = false;
    for_each_log_capital(observations, centre, [&](double capital) { return reached = capital >= log_level; });
    return reached;
  };
  const auto [least, most] = std::minmax_element(observations.begin(), observations.end());
  // Below the least observation nothing changes any more; at the largest no bet has won.
  double out = std::nextafter(*least, -infinity), open = *most;
  if (!excluded(out)) return -infinity;
  if (excluded(open)) return open;
  while (true) {
    const double middle = std::midpoint(out, open);
    if (!(middle > out && middle < open)) return out;
    (excluded(middle) ? out : open) = middle;
  }
}

}  // namespace

std::vector<double> log_capital_above(std::span<const double> observations, double centre) {
  require(observations, 0.5);
  std::vector<double> capital;
  for_each_log_capital(observations, centre, [&](double now) {
    capital.push_back(now);
    return false;
  });
  return capital;
}

std::vector<double> log_capital_below(std::span<const double> observations, double centre) {
  std::vector<double> mirrored(observations.begin(), observations.end());
  for (double& x : mirrored) x = -x;
  return log_capital_above(mirrored, -centre);
}

Interval signed_rank_interval(std::span<const double> observations, double alpha) {
  require(observations, alpha);
  if (observations.empty()) return {};
  const double log_level = -std::log(alpha / 2);
  std::vector<double> mirrored(observations.begin(), observations.end());
  for (double& x : mirrored) x = -x;
  return {lower_end(observations, log_level), -lower_end(mirrored, log_level)};
}

int least_observations(double alpha) {
  require({}, alpha);
  std::vector<double> alike;
  do {
    alike.push_back(1);
  } while (log_capital_above(alike, 0).back() < -std::log(alpha / 2));
  return static_cast<int>(alike.size());
}

}  // namespace attest::statistics
