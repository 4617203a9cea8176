#include "kernels/statistics/signed_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

namespace attest::statistics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Bet {
  double slope;  ///< l; infinite for the sign alone
  double weight;
};
constexpr std::array<Bet, 10> bets = {{{0.0005, 0.004},
                                       {0.0014, 0.005},
                                       {0.004, 0.007},
                                       {0.012, 0.010},
                                       {0.035, 0.014},
                                       {0.1, 0.020},
                                       {0.3, 0.18},
                                       {0.8, 0.18},
                                       {2, 0.18},
                                       {infinity, 0.4}}};

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
  std::vector<std::size_t> order(sizes.size()), places(sizes.size()), ranks(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sizes[i]; });
  for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  std::vector<std::size_t> counts(sizes.size() + 1, 0);  // of the places seen, a Fenwick tree
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t at = places[i] + 1; at < counts.size(); at += at & (~at + 1)) ++counts[at];
    for (std::size_t at = places[i] + 1; at > 0; at -= at & (~at + 1)) ranks[i] += counts[at];
  }
  return ranks;
}

/// The largest centre that betting on "above" has excluded; -infinity where none.
double lower_end(std::span<const double> observations, double log_level) {
  const auto excluded = [&](double centre) {
    const std::vector<double> capital = log_capital_above(observations, centre);
    return *std::max_element(capital.begin(), capital.end()) >= log_level;
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
  std::vector<double> sizes, capital;
  for (const double x : observations) sizes.push_back(std::fabs(x - centre));
  const std::vector<std::size_t> ranks = running_ranks(sizes);
  std::array<double, bets.size()> wealth{};  // of each bet, times exp(-log_scale)
  for (std::size_t k = 0; k < bets.size(); ++k) wealth[k] = bets[k].weight;
  double log_scale = 0;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const double y = observations[i] - centre;
    if (y != 0) {
      const double share = (static_cast<double>(ranks[i]) - 0.5) / static_cast<double>(i + 1);
      const double z = std::numbers::sqrt2 * boost::math::erf_inv(share);
      for (std::size_t k = 0; k < bets.size(); ++k) wealth[k] *= 1 + std::copysign(std::tanh(bets[k].slope * z), y);
    }
    const double sum = std::accumulate(wealth.begin(), wealth.end(), 0.0);
    capital.push_back(log_scale + std::log(sum) - rounding_slack);
    constexpr double large = 1e100;
    if (sum > large || sum < 1 / large) {
      for (double& one : wealth) one /= sum;
      log_scale += std::log(sum);
    }
  }
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
