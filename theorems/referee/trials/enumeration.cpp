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

/// What a case is: excluded by a condition, or its claim with whether the conditions certainly hold.
struct CaseTruth {
  bool excluded = false, admissible = true;
  Truth claim = Truth::open;
};

CaseTruth truth_of(const language::Program& program, std::int64_t bits, const EnclosedExpectations& expected = {},
                   bool by_algebra = true) {
  const std::vector<double> raw(program.dimension(), 0.0);
  rigor::PrecisionScope precision(bits);
  language::BallEvaluator balls(program);
  const std::vector<rigor::Ball> point(raw.begin(), raw.end());
  if (expected) {
    balls.run(point, expected(raw));
  } else {
    balls.run(point);
  }
  CaseTruth truth;
  for (const language::Formula& condition : program.conditions()) {
    const Truth met = language::decide(balls, condition);
    truth.excluded |= met == Truth::fails;
    truth.admissible &= met == Truth::holds;
  }
  if (truth.excluded) return truth;
  truth.claim = language::decide(balls, program.claim());
  // Sides that are equal where they may be, as in 0.19 >= 0.19, which no balls show.
  if (truth.claim == Truth::open && by_algebra &&
      language::decide_by_algebra(program, program.claim()).answer == language::Algebra::holds)
    truth.claim = Truth::holds;
  return truth;
}

/// At few bits, and at many where these leave it open.
CaseTruth truth_of_case(const language::Statement& statement, const language::Choices& choices) {
  try {
    const language::Program program = language::compile(statement, choices);
    const CaseTruth quick = truth_of(program, 128, {}, false);
    if (quick.excluded || (quick.admissible && quick.claim != Truth::open)) return quick;
    return truth_of(program, 512);
  } catch (const language::Problem&) {
    return {.admissible = false};  // it means nothing there, so nothing is known of it
  }
}

}  // namespace

Enumeration enumerate(const std::vector<Trial>& trials, const engine::Context& context) {
  Enumeration result;
  for (const Trial& trial : trials) {
    context.poll();
    const bool random = trial.expectations->means() != Means::none;
    if (random && !trial.expectations->certain()) return {false, true};
    const CaseTruth truth = truth_of(*trial.program, 512, trial.expectations->enclosures(context.effort), !random);
    // A case that some condition excludes says nothing.
    if (truth.excluded) continue;
    result.some_admissible = true;
    result.all_hold &= truth.claim == Truth::holds;
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
  std::vector<CaseTruth> truths;
  for (std::size_t first = 0; first < cases.size(); first += block_size) {
    context.poll();
    const std::size_t count = std::min(block_size, cases.size() - first);
    try {
      left -= static_cast<double>(count) * (making + ball_work_of(language::compile(statement, cases[first])));
    } catch (const language::Problem&) {
      left -= static_cast<double>(count) * making;
    }
    if (left < 0) return decided;
    truths.assign(count, {});
    parallel::for_each_block(static_cast<std::int64_t>(count), context.threads, [&](std::int64_t k) {
      truths[static_cast<std::size_t>(k)] = truth_of_case(statement, cases[first + static_cast<std::size_t>(k)]);
    });
    for (std::size_t k = 0; k < count; ++k) {
      const CaseTruth& truth = truths[k];
      if (truth.excluded) continue;
      decided.some_admissible = true;
      if (truth.claim == Truth::open || !truth.admissible) ++decided.open;
      if (!truth.admissible) continue;
      if (truth.claim == Truth::holds && !decided.holding) decided.holding = cases[first + k];
      if (truth.claim == Truth::fails && !decided.failing) decided.failing = cases[first + k];
    }
  }
  decided.finished = true;
  return decided;
}

}  // namespace attest::referee
