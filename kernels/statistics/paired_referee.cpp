#include "kernels/statistics/paired_referee.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/signed_rank.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::statistics {
namespace {

/// After how many observations the capital first reaches the level; one more than there are where it never does.
std::size_t first_at(const std::vector<double>& log_capital, double log_level) {
  const auto found = std::find_if(log_capital.begin(), log_capital.end(), [&](double now) { return now >= log_level; });
  return static_cast<std::size_t>(found - log_capital.begin()) + 1;
}

/// Pairs after which a call is first made; more than there are where none is.
std::size_t first_call(std::span<const double> differences, const PairedRule& rule) {
  const double log_level = -std::log(rule.alpha / 2);
  const std::size_t sign = std::min(first_at(log_capital_above(differences, 0), log_level),
                                    first_at(log_capital_below(differences, 0), log_level));
  if (!(rule.smallest > 0)) return sign;
  return std::min(sign, std::max(first_at(log_capital_above(differences, -rule.smallest), log_level),
                                 first_at(log_capital_below(differences, rule.smallest), log_level)));
}

Call call_of(const Interval& interval, double smallest) {
  if (smallest > 0 && interval.lower >= -smallest && interval.upper <= smallest) return Call::no_difference;
  if (interval.lower >= 0) return Call::above;  // the ends are left out themselves
  return interval.upper <= 0 ? Call::below : Call::undecided;
}

std::optional<std::size_t> projected(std::span<const double> differences, const PairedRule& rule) {
  std::vector<double> repeated(most_projected(differences.size()));
  for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = differences[i % differences.size()];
  const std::size_t pairs = first_call(repeated, rule);
  return pairs <= repeated.size() ? std::optional(pairs) : std::nullopt;
}

}  // namespace

PairedFinding judge_pairs(std::span<const double> differences, const PairedRule& rule) {
  if (!(rule.smallest >= 0 && std::isfinite(rule.smallest)))
    throw std::invalid_argument(fmt::format("judge_pairs: smallest = {} is not finite and at least 0", rule.smallest));
  PairedFinding finding;
  finding.interval = signed_rank_interval(differences, rule.alpha);
  if (differences.empty()) return finding;
  Welford moments;
  for (const double difference : differences) moments.add(difference);
  finding.mean = moments.mean();
  finding.deviation = std::sqrt(moments.variance());
  double largest = 0;
  for (const auto& capital : {log_capital_above(differences, 0), log_capital_below(differences, 0)})
    for (const double now : capital) largest = std::max(largest, now);
  finding.e_value = std::exp(largest) / 2;
  finding.call = call_of(finding.interval, rule.smallest);
  if (finding.call != Call::undecided)
    finding.decided_at = first_call(differences, rule);
  else
    finding.would_decide = projected(differences, rule);
  return finding;
}

double detectable_effect(std::size_t pairs, double alpha, double power) {
  if (!(power > 0 && power < 1))
    throw std::invalid_argument(fmt::format("detectable_effect: power = {} is not in (0, 1)", power));
  if (pairs < static_cast<std::size_t>(least_observations(alpha))) return std::numeric_limits<double>::infinity();
  // An effect e is called above where the interval of the noise alone begins above -e.
  constexpr std::size_t comparisons = 400;
  std::vector<double> needed(comparisons), noise(pairs);
  for (std::size_t i = 0; i < comparisons; ++i) {
    random::Stream stream(1, random::stream_key("detectable effect"), i);
    for (double& one : noise) one = stream.normal();
    needed[i] = -signed_rank_interval(noise, alpha).lower;
  }
  const auto rank = static_cast<std::ptrdiff_t>(std::ceil(power * comparisons)) - 1;
  std::nth_element(needed.begin(), needed.begin() + rank, needed.end());
  return needed[static_cast<std::size_t>(rank)];
}

}  // namespace attest::statistics
