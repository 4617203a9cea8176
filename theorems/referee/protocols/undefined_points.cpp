#include "theorems/referee/protocols/undefined_points.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/proof/confirm.hpp"

namespace attest::referee {
namespace {

/// A quotient, or a power with a whole exponent: where one of them is undefined, something is divided by zero.
bool divides(const language::Instruction& i) {
  return (i.code == language::Code::binary && i.binary == language::Binary::divide) ||
         (i.code == language::Code::power && i.number.is_whole());
}

/// The undefined register is a quotient whose numerator is certainly not 0.
bool is_pole(const language::Program& program, const language::BallEvaluator& balls,
             const language::Undefined& undefined) {
  const language::Instruction& quotient = program.instructions.at(undefined.reg);
  if (!divides(quotient)) return false;
  const auto numerator = balls.value(quotient.args.front());
  return std::none_of(numerator.begin(), numerator.end(), [](const rigor::Ball& b) { return b.contains_zero(); });
}

}  // namespace

void refuse_undefined(const std::vector<Trial>& trials, Outcome& outcome) {
  for (const Trial& trial : trials) {
    if (!trial.harvest.undefined || trial.expectations->means() != Means::none) continue;
    const std::vector<double>& raw = *trial.harvest.undefined;
    language::Evaluator evaluator(*trial.program);
    evaluator.run(raw);
    const auto undefined = language::undefined_at(evaluator);
    if (!undefined || !undefined->written || !within_sets(*trial.program, raw)) continue;
    const rigor::PrecisionScope precision(256);
    language::BallEvaluator balls(*trial.program);
    balls.run(std::vector<rigor::Ball>(raw.begin(), raw.end()));
    const auto entries = balls.value(undefined->reg);
    if (std::all_of(entries.begin(), entries.end(), [](const rigor::Ball& b) { return b.is_finite(); })) continue;
    std::string where;
    for (const auto& [name, value] : trial.choices)
      where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", name, value);
    for (const language::RawInput& input : trial.program->inputs()) {
      NamedValue value{input.name, input.shape, {}};
      for (const rigor::Ball& entry : balls.value(input.element)) value.entries.push_back(entry.mid());
      where += fmt::format("{}{}", where.empty() ? "" : ", ", shown(value));
    }
    // A pole is refused. Where another function ends (log 0, an infinite divergence), and at 0/0, which a closed form
    // such as (a^n - 1)/(a - 1) has where the statement means its limit, the point is left out.
    if (!is_pole(*trial.program, balls, *undefined)) {
      outcome.remarks.push_back(
          fmt::format("left out: points such as {}, where there is {}", where, undefined->sentence));
      outcome.leaves_points_out = true;
      return;
    }
    throw language::Problem(
        undefined->written->place,
        fmt::format("{} at {}; leave such points out with 'where', or narrow the set", undefined->sentence, where));
  }
}

}  // namespace attest::referee
