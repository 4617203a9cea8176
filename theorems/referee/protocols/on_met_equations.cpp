#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/make.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/met_equations.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

/// The values of what is defined there stand before those of what is bound.
void show_defined(const MetEquations& met, std::optional<Point>& point) {
  if (!point) return;
  std::vector<NamedValue> values;
  for (const std::string& name : met.names) {
    const language::ExpressionProgram made =
        language::compile_expression(met.statement, language::make_variable(name), point->choices);
    language::Evaluator at(made.program);
    at.run(point->raw);
    const auto entries = at.value(made.result);
    values.push_back({name, made.program.shape_of(made.result), {entries.begin(), entries.end()}});
  }
  point->values.insert(point->values.begin() + static_cast<std::ptrdiff_t>(point->choices.size()), values.begin(),
                       values.end());
}

}  // namespace

void say_met(const MetEquations& met, Outcome& outcome) {
  outcome.met = std::make_shared<const language::Statement>(met.statement);
  outcome.remarks.push_back("its points meet the equations by construction: " + language::normal_form(met.statement));
  for (auto* point : {&outcome.witness, &outcome.tightest}) show_defined(met, *point);
  if (outcome.best) show_defined(met, outcome.best->witness);
}

void judge_universal(const language::Statement& original, const engine::Context& context, bool near_misses,
                     Outcome& outcome) {
  auto met = with_equations_met(original);
  if (!met) {
    judge_as_written(original, context, near_misses, outcome);
    return;
  }
  Outcome at_points = outcome;
  judge_as_written(met->statement, context, near_misses, at_points);
  say_met(*met, at_points);
  for (auto* repair : {&at_points.repair, &at_points.repair_of_exponent})
    if (*repair && (*repair)->claim) (*repair)->statement = normal_form(with_claim(original, (*repair)->claim));
  if (at_points.verdict != engine::Verdict::refuted) {
    judge_as_written(original, context, near_misses, outcome);
    // A proof is on the domain as it is written; points found for it are no more than those that meet it.
    if (outcome.verdict == engine::Verdict::certified || outcome.verdict == engine::Verdict::refuted) return;
    if (!at_points.stands() && outcome.stands()) return;
  }
  outcome = std::move(at_points);
}

}  // namespace attest::referee
