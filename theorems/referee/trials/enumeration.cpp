#include "theorems/referee/trials/enumeration.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/parallel/blocks.hpp"
#include "theorems/language/algebra/exact.hpp"
#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/proof/confirm.hpp"

namespace attest::referee {

using language::Truth;

bool enumerated(const Sizes& sizes, const std::vector<Trial>& trials) {
  return sizes.exhaustive && std::all_of(trials.begin(), trials.end(), [](const Trial& t) {
           return t.program->dimension() == 0 ||
                  std::all_of(t.program->inputs().begin(), t.program->inputs().end(),
                              [](const language::RawInput& input) { return input.random; });
         });
}

namespace {

/// The case of a program without free numbers. Sides that are equal where they may be, as in 0.19 >= 0.19, no balls
/// show: algebra does.
Confirmation decided_case(const language::Program& program, const EnclosedExpectations& expected = {}) {
  Confirmation found = confirm(program, std::vector<double>(program.dimension(), 0.0), expected);
  if (!found.excluded && !expected && found.claim == Truth::open &&
      language::decide_by_algebra(program, program.claim()).answer == language::Algebra::holds)
    found.claim = Truth::holds;
  return found;
}

/// Nothing is known of a case at which the statement means nothing.
Confirmation decided_at(const language::Statement& statement, const language::Choices& choices) {
  try {
    return decided_case(language::compile(statement, choices));
  } catch (const language::Problem&) {
    return {};
  }
}

}  // namespace

Enumeration enumerate(const std::vector<Trial>& trials, const engine::Context& context) {
  Enumeration result;
  for (const Trial& trial : trials) {
    context.poll();
    const bool random = trial.expectations->means() != Means::none;
    if (random && !trial.expectations->certain()) return {false, true};
    const Confirmation found = decided_case(*trial.program, trial.expectations->enclosures(context.effort));
    // A case that some condition excludes says nothing.
    if (found.excluded) continue;
    result.some_admissible = true;
    result.all_hold &= found.claim == Truth::holds;
  }
  return result;
}

DecidedCases decide_cases(const language::Statement& statement, const std::vector<language::Choices>& cases,
                          const engine::Context& context, double flops) {
  constexpr std::size_t block_size = 512;
  // Making a program takes about as long as this many operations.
  constexpr double making = 4000;
  DecidedCases decided;
  double left = flops;
  std::vector<Confirmation> found_cases;
  for (std::size_t first = 0; first < cases.size(); first += block_size) {
    context.poll();
    const std::size_t count = std::min(block_size, cases.size() - first);
    try {
      left -= static_cast<double>(count) * (making + ball_work_of(language::compile(statement, cases[first])));
    } catch (const language::Problem&) {
      left -= static_cast<double>(count) * making;
    }
    if (left < 0) return decided;
    found_cases.assign(count, {});
    parallel::for_each_block(static_cast<std::int64_t>(count), context.threads, [&](std::int64_t k) {
      found_cases[static_cast<std::size_t>(k)] = decided_at(statement, cases[first + static_cast<std::size_t>(k)]);
    });
    for (std::size_t k = 0; k < count; ++k) {
      const Confirmation& found = found_cases[k];
      if (found.excluded) continue;
      decided.some_admissible = true;
      if (found.claim == Truth::open || !found.admissible) ++decided.open;
      if (!found.admissible) continue;
      if (found.claim == Truth::holds && !decided.holding) decided.holding = cases[first + k];
      if (found.claim == Truth::fails && !decided.failing) decided.failing = cases[first + k];
    }
  }
  decided.finished = true;
  return decided;
}

}  // namespace attest::referee
