#include "theorems/referee/judge.hpp"

#include <chrono>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/alternatives.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::referee {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool settled(const Outcome& outcome) {
  return outcome.verdict == engine::Verdict::certified || outcome.verdict == engine::Verdict::refuted;
}

/// What the witness of a best constant refutes: it demands `found` in balls.
std::string best_changed(const BestConstant& best) {
  return fmt::format("{} = {} made 0.1 % {}", best.name, best.found, best.smallest ? "smaller" : "larger");
}

}  // namespace

Outcome judge(const language::Statement& original, const engine::Context& context, bool near_misses) {
  Outcome outcome;
  outcome.reading = language::normal_form(original);
  outcome.tex = language::tex(original);
  const language::Statement statement = with_alternatives(original);
  outcome.seed = context.seed;
  const Question question = question_of(statement);
  outcome.question = name(question);
  switch (question) {
    case Question::universal:
      judge_universal(statement, context, near_misses, outcome);
      break;
    case Question::existential:
      judge_existential(statement, context, outcome);
      break;
    case Question::mixed:
      judge_mixed(statement, context, outcome);
      break;
    case Question::best_constant:
      judge_best(statement, context, outcome);
      if (near_misses && outcome.best && outcome.best->witness && outcome.stands())
        outcome.near_misses.push_back({best_changed(*outcome.best), "", 1e-3, true});
      break;
    case Question::limit:
    case Question::order:
      judge_limit(statement, context, outcome);
      if (near_misses && outcome.stands()) judge_limit_variations(statement, context, outcome);
      break;
  }
  return outcome;
}

Outcome judge(const language::Statement& statement, const JudgeOptions& options) {
  const Clock::time_point start = Clock::now();
  engine::Context context;
  context.seed = options.seed;
  context.key = random::stream_key(language::normal_form(statement));
  context.threads = options.threads;
  context.alpha = options.alpha;
  context.effort = options.budget.effort;
  context.interrupted = options.interrupted;
  Outcome outcome = judge(statement, context, options.near_misses);
  // A budget in seconds: rounds at doubled efforts while the next is expected to fit.
  while (options.budget.seconds > 0 && !settled(outcome) && 3 * seconds_since(start) < options.budget.seconds) {
    context.effort *= 2;
    outcome = judge(statement, context, options.near_misses);
  }
  outcome.seconds = seconds_since(start);
  return outcome;
}

Outcome judge(std::string_view text, const JudgeOptions& options) {
  return judge(language::read_statement(text), options);
}

}  // namespace attest::referee
