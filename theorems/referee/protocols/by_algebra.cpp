#include "theorems/referee/protocols/by_algebra.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "theorems/language/algebra/exact.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/proof/relations.hpp"
#include "theorems/referee/protocols/protocols.hpp"

namespace attest::referee {
namespace {

using engine::Verdict;

bool decides(const language::Program& program, const engine::Context& context) {
  context.poll();
  language::AlgebraLimits limits;
  limits.term_products = static_cast<std::size_t>(1e6 * context.effort);
  return language::decide_by_algebra(program, program.claim(), limits).answer == language::Algebra::holds;
}

bool decides_at(const language::Statement& statement, const language::Choices& choices,
                const engine::Context& context) {
  constexpr std::size_t memory = std::size_t{8} << 20;
  try {
    return decides(language::compile(statement, choices, memory), context);
  } catch (const language::Problem&) {  // too large, or without a meaning there
    return false;
  }
}

}  // namespace

bool conclude_by_algebra(const language::Statement& statement, const Sizes& sizes, const std::vector<Trial>& trials,
                         const engine::Context& context, Outcome& outcome) {
  if (!std::ranges::all_of(trials, [&](const Trial& trial) { return decides(*trial.program, context); })) return false;
  const bool equation = std::ranges::all_of(trials, [](const Trial& t) { return has_equation(t.program->claim()); });
  const std::string shown = equation ? "both sides are the same by algebra over the rationals"
                                     : "both sides were compared by algebra over the rationals";
  if (sizes.exhaustive) {
    conclude(outcome, Verdict::certified, "exact algebra", shown, "nothing on this domain");
    return true;
  }
  constexpr std::size_t most_choices = 256;
  const Untried others = untried_choices(statement, sizes, most_choices);
  if (others.all && std::ranges::all_of(others.choices, [&](const language::Choices& choices) {
        return decides_at(statement, choices, context);
      }))
    conclude(outcome, Verdict::certified, "exact algebra",
             fmt::format("{}, at each of the {} choices of sizes", shown, sizes.tried.size() + others.choices.size()),
             "nothing on this domain");
  else  // Sizes that were not tried are not proven: the verdict says so by its word.
    conclude(outcome, Verdict::supported, "exact algebra", shown + " at every size tried", "a size that was not tried");
  return true;
}

}  // namespace attest::referee
