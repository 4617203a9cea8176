#include "theorems/ledger/typed_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"
#include "theorems/referee/points/chosen_variables.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/question/met_equations.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/variations.hpp"
#include "theorems/referee/trials/trials.hpp"

namespace attest::ledger {
namespace {

using engine::Inputs;
using engine::Verdict;
using language::Statement;
using referee::Outcome;

/// A witness stores finite numbers: the order inf of a norm stands as the largest of them.
constexpr double stands_for_infinity = std::numeric_limits<double>::max();

double restored(double number) {
  return std::abs(number) == stands_for_infinity ? std::copysign(std::numeric_limits<double>::infinity(), number)
                                                 : number;
}

constexpr const char* protocol =
    "a statement of the language, judged by its referee: algebra, adversarial search led by gradients, ball "
    "arithmetic, branch and bound, signs of polynomials, quadrature or confidence sequences, as it asks for";

std::string raw_name(const std::string& name) { return "raw " + name; }

Inputs inputs_of(const Statement& statement, const referee::Point& point) {
  Inputs inputs;
  for (const auto& [name, value] : point.choices) inputs.add(name, {stored_choice(value)});
  const language::Program program = language::compile(referee::balanced(statement), point.choices);
  for (const language::RawInput& input : program.inputs()) {
    const auto begin = point.raw.begin() + static_cast<std::ptrdiff_t>(input.offset);
    const std::vector<double> raw(begin, begin + static_cast<std::ptrdiff_t>(input.raw.size()));
    const auto value = std::ranges::find(point.values, input.name, &referee::NamedValue::name);
    if (value != point.values.end() && value->entries != raw) {
      inputs.add(input.name, value->entries);
      inputs.add(raw_name(input.name), raw);
    } else {
      inputs.add(input.name, raw);
    }
  }
  return inputs;
}

/// Along a grid "->" compares for equality, "= O" for at most; what "!=" denies is an equality.
engine::Relation relation_of(const referee::Point& point) {
  if (point.relation == "->" || point.relation == "!=") return engine::Relation::equal;
  if (point.relation == "= O") return engine::Relation::less_equal;
  return rigor::relation_from_symbol(point.relation);
}

engine::Witness witness_found(const Statement& statement, const Outcome& outcome, const engine::Context& context) {
  const referee::Point& point = *outcome.witness;
  engine::Witness witness;
  witness.inputs = inputs_of(outcome.met ? *outcome.met : statement, point);
  witness.relation = relation_of(point);
  witness.lhs = point.lhs;
  witness.rhs = point.rhs;
  witness.margin = fmt::format("{:.3g} of the larger side", point.relative_margin);
  witness.precision_bits = static_cast<int>(point.precision_bits);
  if (outcome.method == "confidence sequence") {
    witness.kind = engine::WitnessKind::stochastic;
    witness.seed = context.seed;
    witness.effort = context.effort;
    witness.alpha = context.alpha;
  }
  return witness;
}

/// Changed statements that fell, and for a refuted statement the repair that stands.
void add_changes(const Outcome& outcome, engine::StatementEvidence& evidence) {
  for (const referee::NearMiss& miss : outcome.near_misses) {
    if (miss.refuted)
      evidence.changes.push_back({miss.name, miss.statement, miss.delta, false});
    else
      ++evidence.changes_left_standing;
  }
  for (const referee::Assumption& assumption : outcome.assumptions)
    if (assumption.needed) evidence.changes.push_back({"without '" + assumption.text + "'", "", 1, false});
  if (outcome.repair && !outcome.repair->statement.empty())
    evidence.changes.push_back({outcome.repair->sentence, outcome.repair->statement, 1, true});
}

engine::EvidenceDocument document_of(const Statement& statement, const Outcome& outcome,
                                     const evidence::Heading& heading, const engine::Context& context) {
  const evidence::Evidence made = evidence::evidence_for(statement, outcome, heading, context);
  engine::EvidenceDocument document;
  document.certificate = outcome.verdict == Verdict::certified;
  document.why_not = made.why_not;
  if (made.document) document.text = made.document->dump(1, ' ', true) + "\n";
  return document;
}

engine::Evidence run_typed(const std::shared_ptr<const Statement>& statement, const evidence::Heading& heading,
                           engine::Context context) {
  context.effort *= share_of_effort;
  const auto outcome = std::make_shared<const Outcome>(referee::judge(*statement, context, context.changes));
  engine::StatementEvidence evidence;
  evidence.judgement = {outcome->verdict, fmt::format("{}: {}", outcome->method, outcome->reason),
                        outcome->would_change};
  if (outcome->method.empty()) evidence.judgement.reason = outcome->reason;
  evidence.question = outcome->question;
  evidence.method = outcome->method;
  evidence.domain = outcome->domain;
  evidence.evaluations = outcome->evaluations;
  evidence.remarks = outcome->remarks;
  if (outcome->tightest) {
    evidence.least_slack = outcome->tightest->relative_margin;
    evidence.slack_at = inputs_of(outcome->met ? *outcome->met : *statement, *outcome->tightest);
  }
  if (outcome->best) {
    evidence.constants = {{outcome->best->name + " demanded at a point", outcome->best->found},
                          {outcome->best->name + " not refuted", outcome->best->not_refuted}};
  } else if (outcome->witness) {
    evidence.witness = witness_found(*statement, *outcome, context);
  }
  add_changes(*outcome, evidence);
  if (outcome->verdict == Verdict::certified || outcome->verdict == Verdict::refuted)
    evidence.document = [statement, outcome, heading, context](const std::atomic<bool>* interrupted) {
      engine::Context own = context;
      own.interrupted = interrupted;
      return document_of(*statement, *outcome, heading, own);
    };
  engine::Evidence whole;
  whole.body = std::move(evidence);
  return whole;
}

language::Choices choices_in(const Statement& statement, const Inputs& inputs) {
  language::Choices choices;
  for (const std::string& name : language::chosen_names(statement)) choices[name] = restored(inputs.scalar(name));
  return choices;
}

std::vector<double> raw_numbers(const language::Program& program, const Inputs& inputs) {
  std::vector<double> raw(program.dimension(), 0.0);
  for (const language::RawInput& input : program.inputs()) {
    const auto numbers = inputs[inputs.has(raw_name(input.name)) ? raw_name(input.name) : input.name];
    if (numbers.size() != static_cast<std::size_t>(input.raw.size()))
      throw std::invalid_argument(fmt::format("the witness holds {} numbers for '{}', which takes {} there",
                                              numbers.size(), input.name, input.raw.size()));
    std::ranges::copy(numbers, raw.begin() + static_cast<std::ptrdiff_t>(input.offset));
  }
  return raw;
}

/// The balanced statement that has the witness's variables: as written, or with its equations met by construction.
Statement as_stored(const Statement& statement, const Inputs& inputs) {
  auto met = referee::with_equations_met(statement);
  const bool defined =
      met && std::ranges::any_of(met->names, [&](const std::string& name) { return !inputs.has(name); });
  return referee::balanced(defined ? std::move(met->statement) : statement);
}

/// At exactly the stored numbers, in balls; a witness of an existence establishes it, any other contradicts.
engine::Replay replay(const Statement& statement, const engine::Witness& witness, const engine::Context& context) {
  const Statement balanced = as_stored(statement, witness.inputs);
  referee::Sizes sizes;
  sizes.tried = {choices_in(balanced, witness.inputs)};
  // Sizes are part of the claim: a point at others says nothing about it, and may be too large for any memory.
  if (const std::string outside = referee::outside_of_sets(balanced, sizes.tried.front()); !outside.empty())
    throw std::invalid_argument(fmt::format("the witness is not a point of the claim: {}", outside));
  const auto trials = referee::make_trials(balanced, sizes, context);
  const referee::Trial& trial = trials.front();
  const std::vector<double> raw = raw_numbers(*trial.program, witness.inputs);
  const auto expected = trial.expectations->enclosures(context.effort);
  const referee::Confirmation found = referee::confirm(*trial.program, raw, expected);
  const referee::Point point = referee::point_at(*trial.program, sizes.tried.front(), raw, expected);
  const bool existence = referee::question_of(statement) == referee::Question::existential;
  engine::Replay replay;
  replay.lhs = point.lhs;
  replay.rhs = point.rhs;
  replay.margin = fmt::format("{:.3g} of the larger side", point.relative_margin);
  replay.relation = relation_of(point);
  replay.assumptions_hold = found.admissible;
  replay.confirmed = existence ? found.holds() : found.violates();
  replay.precision_bits = static_cast<int>(found.bits);
  replay.how = "the statement, read again, in ball arithmetic at the stored numbers";
  return replay;
}

/// Every relation in it is an equality.
bool equalities_only(const language::Expr& claim) {
  if (claim->op == language::Op::equal) return true;
  if (claim->op == language::Op::comprehension && claim->name == "all") return equalities_only(claim->args[2]);
  if (claim->op != language::Op::conjunction) return false;
  return std::ranges::all_of(claim->args, equalities_only);
}

/// Where the changed statements are judged by draws, each of them may err.
std::size_t shares_of(const Statement& statement) {
  const bool random = referee::binder_of(statement, language::Quantifier::random) != nullptr;
  return 1 + (random ? referee::variations(statement).size() : 0);
}

}  // namespace

double stored_choice(double choice) { return std::isinf(choice) ? std::copysign(stands_for_infinity, choice) : choice; }

SharedStatement shared_statement(Statement statement) {
  return std::make_shared<const Statement>(std::move(statement));
}

SharedStatement statement_of_text(std::string text) {
  return SharedStatement::later(
      [text = std::move(text)] { return std::make_shared<const Statement>(language::read_statement(text)); });
}

engine::Check typed_check(const SharedStatement& statement, const engine::Deferred<evidence::Heading>& heading) {
  return {
      .protocol = protocol,
      .run = [statement, heading](const engine::Context& context) { return run_typed(statement, heading, context); },
      .replay = [statement](const engine::Witness& witness,
                            const engine::Context& context) { return replay(*statement.get(), witness, context); },
      .domain = [statement] { return "the sets that the statement names: " + language::normal_form(*statement.get()); },
      .judges_changes = true,
      .shares = engine::Deferred<std::size_t>::later([statement] { return shares_of(*statement.get()); })};
}

engine::Check typed_check(const SharedStatement& statement) {
  return typed_check(statement, engine::Deferred<evidence::Heading>::later(
                                    [statement] { return evidence::typed_heading(*statement.get()); }));
}

engine::Kind kind_of(const Statement& statement) {
  switch (referee::question_of(statement)) {
    case referee::Question::limit:
      return engine::Kind::limit;
    case referee::Question::order:
      return engine::Kind::rate;
    case referee::Question::existential:
      return engine::Kind::existence;
    default:
      break;
  }
  if (referee::binder_of(statement, language::Quantifier::random) != nullptr) return engine::Kind::expectation_bound;
  return equalities_only(statement.claim) ? engine::Kind::identity : engine::Kind::universal_inequality;
}

}  // namespace attest::ledger
