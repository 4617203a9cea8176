#include "theorems/referee/expectations/sampled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/anytime_interval.hpp"
#include "kernels/statistics/confidence_sequence.hpp"
#include "kernels/statistics/sub_gaussian_sequence.hpp"
#include "theorems/referee/expectations/derived_range.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"
#include "theorems/referee/points/work.hpp"

namespace attest::referee {

using language::Evaluator;
using language::Expectation;
using rigor::Ball;
using statistics::BettingSequence;
using statistics::Range;
using statistics::SubGaussianSequence;

Sampled sampled(const language::Program& program, std::span<const double> raw, std::size_t which,
                const engine::Context& context, double effort) {
  const std::vector<RandomNumber> numbers = random_numbers(program);
  const Expectation& expectation = program.expectations()[which];
  std::vector<double> point(raw.begin(), raw.end());
  Evaluator evaluator(program);
  evaluator.run(point);
  std::vector<LawAt> laws;
  for (const RandomNumber& number : numbers) laws.push_back(law_at(*number.input, evaluator));
  const double alpha = context.alpha / 64;
  const double work = work_of(program) + 20 * static_cast<double>(numbers.size());
  const auto samples = static_cast<std::int64_t>(std::clamp(effort * 0.25e8 / work, 1000.0, 2e6));

  const std::optional<Range> range = derived_range(program, raw, expectation, numbers, laws);
  const double lipschitz = range ? 0 : lipschitz_in_normals(program, evaluator, expectation.integrand);

  std::optional<BettingSequence> betting;
  std::optional<SubGaussianSequence> sub_gaussian;
  statistics::Welford moments;
  if (range) betting.emplace(*range, alpha);
  if (!range && std::isfinite(lipschitz) && lipschitz > 0)
    sub_gaussian.emplace(lipschitz, alpha, statistics::Sides::two_sided, static_cast<double>(samples));
  std::vector<double> block;
  for (std::int64_t s = 0; s < samples; ++s) {
    if ((s & 1023) == 0) context.poll();
    random::Stream stream(context.seed ^ 0x9E3779B97F4A7C15ULL, context.key,
                          0x6B0000000000 + (static_cast<std::uint64_t>(which) << 32) + static_cast<std::uint64_t>(s));
    for (std::size_t d = 0; d < numbers.size(); ++d) point[numbers[d].coordinate] = draw(laws[d], stream);
    evaluator.run(point);
    const double x = integrand(evaluator, expectation);
    if (!std::isfinite(x)) return {Ball(std::numeric_limits<double>::quiet_NaN()), false};
    moments.add(x);
    block.push_back(range ? std::clamp(x, range->lower, range->upper) : x);
    if (block.size() == 4096 || s + 1 == samples) {
      if (betting) betting->update(block);
      if (sub_gaussian) sub_gaussian->update(block);
      block.clear();
    }
  }
  const statistics::Interval interval = betting        ? betting->interval()
                                        : sub_gaussian ? sub_gaussian->interval()
                                                       : statistics::asymptotic_mean_interval(moments, alpha);
  if (!(interval.lower <= interval.upper) || !std::isfinite(interval.lower) || !std::isfinite(interval.upper))
    return {Ball(std::numeric_limits<double>::quiet_NaN()), false};
  return {Ball::hull(Ball(interval.lower), Ball(interval.upper)), betting.has_value() || sub_gaussian.has_value()};
}

}  // namespace attest::referee
