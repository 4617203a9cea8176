#include "theorems/referee/protocols/enumeration.hpp"

#include <algorithm>

#include "theorems/language/algebra/exact.hpp"
#include "theorems/language/evaluation/decide.hpp"
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

Enumeration enumerate(const std::vector<Trial>& trials, const engine::Context& context) {
  Enumeration result;
  for (const Trial& trial : trials) {
    context.poll();
    if (trial.expectations->means() != Means::none && !trial.expectations->certain()) return {false, true};
    const std::vector<double> raw(trial.program->dimension(), 0.0);
    rigor::PrecisionScope precision(512);
    language::BallEvaluator balls(*trial.program);
    const std::vector<rigor::Ball> point(raw.begin(), raw.end());
    if (const EnclosedExpectations expected = trial.expectations->enclosures(context.effort)) {
      balls.run(point, expected(raw));
    } else {
      balls.run(point);
    }
    const auto& conditions = trial.program->conditions();
    // A case that some condition excludes says nothing.
    if (std::any_of(conditions.begin(), conditions.end(),
                    [&](const auto& c) { return language::decide(balls, c) == Truth::fails; }))
      continue;
    result.some_admissible = true;
    const Truth truth = language::decide(balls, trial.program->claim());
    // Sides that are equal where they may be, as in 0.19 >= 0.19, which no balls show.
    result.all_hold &=
        truth == Truth::holds ||
        (truth == Truth::open && trial.expectations->means() == Means::none &&
         language::decide_by_algebra(*trial.program, trial.program->claim()).answer == language::Algebra::holds);
  }
  return result;
}

}  // namespace attest::referee
