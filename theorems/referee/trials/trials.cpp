#include "theorems/referee/trials/trials.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/parallel/blocks.hpp"
#include "theorems/referee/points/structures.hpp"
#include "theorems/referee/points/work.hpp"

namespace attest::referee {
namespace {

/// How many runs of the program one value of its expectations takes.
double runs_of(const language::Program& program, const Expectations& expectations) {
  double random = 0;
  for (const language::RawInput& input : program.inputs())
    if (input.random) random += static_cast<double>(input.raw.size());
  switch (expectations.means()) {
    case Means::none:
      return 1;
    case Means::atoms:
      return std::exp2(random);
    case Means::moments:
      return 2;
    case Means::quadrature:
      return random > 1 ? 3600 : 400;
    case Means::samples:
      return 256;
  }
  return 1;
}

}  // namespace

Trial make_trial(const language::Statement& statement, const language::Choices& choices,
                 const engine::Context& context) {
  Trial trial;
  trial.choices = choices;
  trial.program = std::make_unique<language::Program>(language::compile(statement, choices));
  trial.expectations = std::make_unique<Expectations>(*trial.program, context);
  trial.work = work_of(*trial.program) * runs_of(*trial.program, *trial.expectations);
  return trial;
}

std::vector<Trial> make_trials(const language::Statement& statement, const Sizes& sizes,
                               const engine::Context& context) {
  std::vector<Trial> trials;
  for (const language::Choices& choices : sizes.tried) trials.push_back(make_trial(statement, choices, context));
  return trials;
}

SearchLimits search_limits(const Trial& trial, std::size_t trials, double flops, std::int64_t most) {
  const double share = flops / static_cast<double>(std::max<std::size_t>(1, trials));
  // A gradient costs about three evaluations.
  const double evaluations =
      std::clamp(share / (1.6 * trial.work), trial.work > 1e6 ? 40.0 : 120.0, static_cast<double>(most));
  SearchLimits limits;
  // Every structure once, however dear a point is.
  limits.draws = std::max<std::int64_t>(structure_count, static_cast<std::int64_t>(0.5 * evaluations));
  limits.local = static_cast<std::int64_t>(0.5 * evaluations);
  limits.starts = static_cast<int>(std::clamp(evaluations / 250, 3.0, 24.0));
  return limits;
}

void search_all(std::vector<Trial>& trials, const engine::Context& context, double flops, std::int64_t most,
                const std::vector<std::optional<Asked>>& asked) {
  parallel::for_each_block(static_cast<std::int64_t>(trials.size()), context.threads, [&](std::int64_t block) {
    const auto i = static_cast<std::size_t>(block);
    Trial& trial = trials[i];
    const SearchLimits limits = search_limits(trial, trials.size(), flops, most);
    Landscape landscape(*trial.program, trial.expectations->values(), i < asked.size() ? asked[i] : std::nullopt);
    const double ball_share = 0.5 * flops / static_cast<double>(trials.size()) / ball_work_of(*trial.program);
    landscape.set_ball_checks(static_cast<std::int64_t>(
        std::clamp(ball_share, 8.0, 60.0 + static_cast<double>(limits.draws + limits.local) / 20)));
    trial.harvest = search_at(landscape, context, i + 1, limits);
  });
}

std::int64_t evaluations_of(const std::vector<Trial>& trials) {
  std::int64_t sum = 0;
  for (const Trial& trial : trials) sum += trial.harvest.evaluations;
  return sum;
}

std::int64_t admissible_of(const std::vector<Trial>& trials) {
  std::int64_t sum = 0;
  for (const Trial& trial : trials) sum += trial.harvest.admissible;
  return sum;
}

}  // namespace attest::referee
