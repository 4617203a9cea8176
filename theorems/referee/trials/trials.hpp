// The statement at each of the choices that are tried, searched.
#pragma once

#include <memory>
#include <vector>

#include "theorems/referee/expectations/expectations.hpp"
#include "theorems/referee/points/sizes.hpp"
#include "theorems/referee/search/search.hpp"

namespace attest::referee {

/// One choice of the sizes.
struct Trial {
  language::Choices choices;
  std::unique_ptr<language::Program> program;
  std::unique_ptr<Expectations> expectations;
  double work = 1;  ///< flops of one evaluation, expectations included
  Harvest harvest;
  bool went_to_ends = false;  ///< its open ends were probed, see probes.hpp
};

/// Compiles one choice.
Trial make_trial(const language::Statement& statement, const language::Choices& choices,
                 const engine::Context& context);
/// Compiles every choice.
std::vector<Trial> make_trials(const language::Statement& statement, const Sizes& sizes,
                               const engine::Context& context);

/// The share of each trial in `flops` operations, small programs capped at `most` evaluations.
SearchLimits search_limits(const Trial& trial, std::size_t trials, double flops, std::int64_t most);

/// Searches all trials on the context's threads. The result does not depend on their number. `seeds[i]` are points for
/// trial i, if given.
void search_all(std::vector<Trial>& trials, const engine::Context& context, double flops, std::int64_t most,
                const std::vector<std::optional<Asked>>& asked = {});

/// Points searched and constraints met, over all trials.
std::int64_t evaluations_of(const std::vector<Trial>& trials);
std::int64_t admissible_of(const std::vector<Trial>& trials);

/// Operations per second that one core does in a search, roughly; budgets in seconds and efforts are made of it.
inline constexpr double flops_of_effort = 8e7;

}  // namespace attest::referee
