#include "theorems/engine/protocols/expectation.hpp"

#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/monte_carlo/estimate.hpp"
#include "kernels/statistics/power.hpp"
#include "theorems/engine/protocols/domain.hpp"

namespace attest::engine {
namespace {

using Configuration = ExpectationConfiguration;

/// Chance, per configuration, that a mean wrong by the reported smallest discrepancy would have passed.
constexpr double false_pass = 1e-3;

bool above(const Configuration& c, double lower) { return !says_greater(c.relation) && lower > c.bound; }

bool below(const Configuration& c, double upper) { return !says_less(c.relation) && upper < c.bound; }

bool settled(const Configuration& c, const statistics::Interval& interval) {
  const bool not_above = interval.upper <= c.bound + c.resolution;
  const bool not_below = interval.lower >= c.bound - c.resolution;
  return (not_above || says_greater(c.relation)) && (not_below || says_less(c.relation));
}

/// The smallest discrepancy that the allowed number of samples would have caught, whichever side the claim is on.
double smallest_discrepancy(const Configuration& c, double alpha, double samples, double variance) {
  statistics::MeanTest test;
  test.range = {c.least, c.greatest};
  test.bound = c.bound;
  if (says_greater(c.relation)) {
    test.range = {-c.greatest, -c.least};
    test.bound = -c.bound;
  }
  // A bound outside the statistic's range cannot be exceeded: there is no discrepancy to catch.
  if (!(test.bound >= test.range.lower && test.bound <= test.range.upper)) return 0;
  test.alpha = alpha / 2;
  test.max_samples = samples;
  test.variance = variance;
  return statistics::smallest_caught_excess(test, false_pass);
}

struct Sampled {
  ExpectationPart part;
  bool refuted = false;
};

Sampled sample(const Configuration& c, const Context& context, double alpha) {
  const std::uint32_t key = random::stream_key(fmt::format("{}/{}", context.key, c.name));
  monte_carlo::Settings settings;
  settings.alpha = alpha;
  settings.max_samples = static_cast<std::uint64_t>(context.evaluations(c.samples));
  settings.threads = context.threads;
  const auto statistic = [&](std::uint64_t index) {
    context.poll();
    random::Stream stream(context.seed, key, index);
    return c.statistic(stream);
  };
  const auto decided = [&](const monte_carlo::Estimate& e) {
    return above(c, e.interval.lower) || below(c, e.interval.upper) || settled(c, e.interval);
  };
  const monte_carlo::Estimate estimate =
      monte_carlo::simulate(monte_carlo::by_sample(statistic), {c.least, c.greatest}, settings, decided);
  Sampled result;
  result.refuted = above(c, estimate.interval.lower) || below(c, estimate.interval.upper);
  ExpectationPart& part = result.part;
  part.name = c.name;
  part.samples = static_cast<std::int64_t>(estimate.samples);
  part.estimate = estimate.mean;
  part.interval = {estimate.interval.lower, estimate.interval.upper};
  part.relation = c.relation;
  part.bound = c.bound;
  part.resolution = c.resolution;
  part.alpha = alpha;
  part.smallest_discrepancy =
      smallest_discrepancy(c, alpha, static_cast<double>(settings.max_samples), estimate.variance);
  return result;
}

Witness stochastic_witness(const Configuration& c, const ExpectationPart& part, const Context& context) {
  Witness witness;
  witness.kind = WitnessKind::stochastic;
  witness.part = c.name;
  witness.inputs = c.inputs;
  witness.relation = part.relation;
  witness.lhs = fmt::format("[{:.9g}, {:.9g}]", part.interval.lower, part.interval.upper);
  witness.rhs = fmt::format("{:.9g}", part.bound);
  const double margin =
      part.interval.lower > part.bound ? part.interval.lower - part.bound : part.bound - part.interval.upper;
  witness.margin = fmt::format("{:.6g}", margin);
  witness.seed = context.seed;
  witness.effort = context.effort;
  witness.alpha = part.alpha;
  return witness;
}

Evidence run_expectation(const std::vector<Configuration>& configurations, const Context& context) {
  ExpectationEvidence evidence;
  evidence.false_pass_rate = false_pass;
  const double alpha = context.alpha / static_cast<double>(configurations.size());
  for (const auto& c : configurations) {
    const Sampled sampled = sample(c, context, alpha);
    evidence.parts.push_back(sampled.part);
    if (sampled.refuted && !evidence.witness) evidence.witness = stochastic_witness(c, sampled.part, context);
    if (sampled.refuted && context.stop_at_violation) break;
  }
  return {evidence};
}

/// The configurations with their parameters, and the range of each statistic.
std::string domain_of(const std::vector<Configuration>& configurations) {
  std::string text = fmt::format("{} configuration{}", configurations.size(), configurations.size() == 1 ? "" : "s");
  std::string separator = ": ";
  for (const auto& c : configurations) {
    const std::string inputs = inputs_in_words(c.inputs);
    text += fmt::format("{}{}{}, a statistic in [{:.6g}, {:.6g}]", separator, c.name,
                        inputs.empty() ? "" : " (" + inputs + ")", c.least, c.greatest);
    separator = "; ";
  }
  return text;
}

Replay replay_expectation(const std::vector<Configuration>& configurations, const Witness& witness,
                          const Context& context) {
  for (const auto& c : configurations) {
    if (c.name != witness.part) continue;
    // At the level of the suite: a file that could choose its own would confirm anything.
    const double alpha = context.alpha / static_cast<double>(configurations.size());
    const Sampled sampled = sample(c, context, alpha);
    Replay replay;
    replay.relation = c.relation;
    replay.lhs = fmt::format("[{:.9g}, {:.9g}]", sampled.part.interval.lower, sampled.part.interval.upper);
    replay.rhs = fmt::format("{:.9g}", c.bound);
    replay.margin = fmt::format("{:.6g}", std::abs(sampled.part.estimate - c.bound));
    replay.assumptions_hold = true;
    replay.confirmed = sampled.refuted;
    replay.how = fmt::format("{} samples under seed {}, confidence sequence at error level {:.3g}",
                             sampled.part.samples, context.seed, alpha);
    return replay;
  }
  throw std::invalid_argument(
      fmt::format("the witness names the configuration '{}', which this claim does not have", witness.part));
}

}  // namespace

Check expectation(std::vector<ExpectationConfiguration> configurations) {
  if (configurations.empty()) throw std::invalid_argument("expectation: at least one configuration is needed");
  std::set<std::string> names;
  for (const auto& c : configurations) {
    if (c.name.empty() || !names.insert(c.name).second)
      throw std::invalid_argument(fmt::format("expectation: the name '{}' is empty or given twice", c.name));
    if (!c.statistic) throw std::invalid_argument(fmt::format("expectation: '{}' has no statistic", c.name));
    if (!(c.resolution > 0))
      throw std::invalid_argument(fmt::format("expectation: the resolution of '{}' must be positive", c.name));
  }
  const auto shared = std::make_shared<const std::vector<Configuration>>(std::move(configurations));
  return {
      .protocol =
          "Monte Carlo under a betting confidence sequence, valid at every stopping time and stopped as soon as the "
          "bound is decided",
      .run = [shared](const Context& context) { return run_expectation(*shared, context); },
      .replay = [shared](const Witness& witness,
                         const Context& context) { return replay_expectation(*shared, witness, context); },
      .domain = [shared] { return domain_of(*shared); }};
}

}  // namespace attest::engine
