#include "simulations/outcomes/comparison.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "kernels/statistics/anytime_interval.hpp"
#include "kernels/statistics/paired_referee.hpp"
#include "kernels/statistics/signed_rank.hpp"
#include "kernels/statistics/student.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::outcomes {
namespace {

statistics::Welford moments(const std::vector<double>& values) {
  statistics::Welford all;
  for (const double value : values) all.add(value);
  return all;
}

std::string verdict_of(statistics::Call call, const ComparisonRule& rule) {
  switch (call) {
    case statistics::Call::above:
      return rule.more_is_better ? "a better" : "b better";
    case statistics::Call::below:
      return rule.more_is_better ? "b better" : "a better";
    case statistics::Call::no_difference:
      return fmt::format("no difference above {}", rule.smallest);
    case statistics::Call::undecided:
      return "undecided";
  }
  throw std::logic_error("a call without a verdict");
}

/// Of the mean of a - b, whose values lie in [-w, w] for a range of width w.
statistics::Interval by_range(const std::vector<double>& differences, const statistics::Interval& range, double alpha) {
  return statistics::range_mean_interval(moments(differences), {-range.width(), range.width()}, alpha);
}

}  // namespace

const char* const paired_assumption =
    "the differences of pairs, taken in the order of their seeds, are independent and symmetric about the effect (for "
    "two equal variants they are, whatever law the runs have, if swapping the two changes nothing)";

statistics::Interval mean_interval(const std::vector<double>& values, double alpha) {
  return statistics::student_interval(moments(values), alpha);
}

Difference compare(const std::vector<double>& a, const std::vector<double>& b, const ComparisonRule& rule) {
  if (a.size() != b.size() || a.empty()) throw std::invalid_argument("compare: both need the same seeds");
  if (rule.comparisons == 0) throw std::invalid_argument("compare: the level is shared by at least one comparison");
  std::vector<double> differences;
  for (std::size_t s = 0; s < a.size(); ++s) {
    for (const double value : {a[s], b[s]})
      if (rule.range && !rule.range->contains(value))
        throw std::invalid_argument(fmt::format("compare: the value {} is outside the range [{}, {}]", value,
                                                rule.range->lower, rule.range->upper));
    differences.push_back(a[s] - b[s]);
  }
  const double alpha = rule.level / static_cast<double>(rule.comparisons);
  const statistics::PairedFinding found = statistics::judge_pairs(differences, {alpha, rule.smallest});
  Difference d;
  d.mean = found.mean;
  d.deviation = found.deviation;
  d.interval = found.interval;
  if (rule.range) d.range_interval = by_range(differences, *rule.range, alpha);
  d.verdict = verdict_of(found.call, rule);
  d.e_value = found.e_value;
  d.pairs = differences.size();
  d.decided_at = found.decided_at;
  d.would_decide = found.would_decide;
  return d;
}

double detectable_difference(std::size_t seeds, std::size_t comparisons, double level, double power) {
  return statistics::detectable_effect(seeds, level / static_cast<double>(comparisons), power);
}

std::size_t least_seeds(std::size_t comparisons, double level) {
  return static_cast<std::size_t>(statistics::least_observations(level / static_cast<double>(comparisons)));
}

}  // namespace attest::outcomes
