#include "theorems/evidence/evidence_file.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/digest/sha256.hpp"
#include "theorems/evidence/exact_numbers.hpp"
#include "theorems/evidence/limit_bound.hpp"
#include "theorems/language/make.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/expectations/expectations.hpp"
#include "theorems/referee/proof/box_proof.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/question/alternatives.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/sets_of_conditions.hpp"

namespace attest::evidence {
namespace {

using engine::Verdict;
using language::Choices;
using language::make_number;
using language::Program;
using language::Statement;
using nlohmann::json;
using rigor::Rational;

json choices_json(const Choices& choices) {
  json object = json::object();
  for (const auto& [name, value] : choices) object[name] = exact_choice(value);
  return object;
}

json inputs_json(const Program& program, const std::vector<double>& raw) {
  json inputs = json::array();
  for (const language::RawInput& input : program.inputs()) {
    if (input.random) continue;
    json numbers = json::array();
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
      numbers.push_back(Rational::from_double(raw[input.offset + k]).to_string());
    inputs.push_back({{"name", input.name}, {"raw", numbers}});
  }
  return inputs;
}

constexpr const char* not_by_numbers =
    "its expectations rest on samples; attest repeat draws them again with other random numbers";

/// Where the checker cuts the range of one random number, in its law's standard form: uniform on [0, 1], or N(0, 1).
/// Empty, or the reason why it cannot find the expectations by itself.
std::string add_panels(const Program& program, const referee::Expectations& expectations, json& document) {
  if (expectations.means() == referee::Means::none || expectations.means() == referee::Means::atoms) return "";
  const language::RawInput* random = nullptr;
  std::int64_t count = 0;
  for (const language::RawInput& input : program.inputs()) {
    if (!input.random) continue;
    random = &input;
    count += input.raw.size();
  }
  if (expectations.means() != referee::Means::quadrature) return not_by_numbers;
  const bool normal = random->law.name == "normal";
  if (count != 1 || !(normal || random->law.name == "uniform"))
    return "the checker integrates over signs, bits, or one uniform or normal number";
  constexpr int panels = 256, furthest = 10;
  json ends = json::array();
  for (int k = 0; k <= panels; ++k)
    ends.push_back((normal ? Rational(2 * furthest * k - furthest * panels, panels) : Rational(k, panels)).to_string());
  document["panels"] = ends;
  return "";
}

/// Both sides and their distance, at the first precision that keeps them apart.
bool add_sides(const Program& program, const std::vector<double>& raw, const referee::EnclosedExpectations& expected,
               json& document) {
  for (const std::int64_t bits : {128, 512}) {
    const rigor::PrecisionScope precision(bits);
    const auto sides = referee::deciding_sides(program, raw, expected);
    if (!sides || !sides->lhs.is_finite() || !sides->rhs.is_finite()) return false;
    const auto lhs = ends_of(sides->lhs), rhs = ends_of(sides->rhs);
    if (!lhs || !rhs) return false;
    const auto [l, m] = *lhs;
    const auto [r, s] = *rhs;
    const Rational apart = std::max({l - s, r - m, Rational(0)});
    document["sides"] = {{{"relation", sides->relation},
                          {"lhs", {l.to_string(), m.to_string()}},
                          {"rhs", {r.to_string(), s.to_string()}}}};
    document["margin"] = apart.to_string();
    if (apart > Rational(0) || (l == m && r == s)) return true;
  }
  return false;
}

std::string add_point(const Statement& statement, const referee::Point& point, bool holds,
                      const engine::Context& context, json& document) {
  // The search balances a - b >= 0 into a >= b; a stranger reads the statement as written.
  const Program program = language::compile(statement, point.choices);
  const referee::Expectations expectations(program, context);
  if (std::string why_not = add_panels(program, expectations, document); !why_not.empty()) return why_not;
  const referee::EnclosedExpectations expected = expectations.enclosures(context.effort);
  std::vector<double> raw = point.raw;
  raw.resize(program.dimension(), 0.0);
  const referee::Confirmation found = referee::confirm(program, raw, expected);
  if (expected && !expectations.certain()) return not_by_numbers;
  if (!(holds ? found.holds() : found.violates())) return "the point is not confirmed for the statement as written";
  document["choices"] = choices_json(point.choices);
  document["inputs"] = inputs_json(program, raw);
  return add_sides(program, raw, expected, document)
             ? ""
             : "no relation of the claim has sides that decide it certainly and are numbers of moderate size";
}

/// The end itself where a box reaches the bound of its set: doubles may stop short of it.
std::string end_text(const Statement& statement, const Choices& choices, const language::RawInput& input, double end,
                     bool upper) {
  const double bound = upper ? input.upper[0] : input.lower[0];
  if (end == bound && input.set.kind == language::SetKind::interval) {
    const auto exact = exact_constant(statement, input.set.args[upper ? 1 : 0], choices);
    // Where an end is not a constant the raw number lies in [0, 1].
    const auto other = exact_constant(statement, input.set.args[upper ? 0 : 1], choices);
    if (exact && other) return exact->to_string();
  }
  return Rational::from_double(end).to_string();
}

/// Boxes that cover each case of `statement`, on which `shown` holds: the statement itself, or its denial.
std::string add_boxes(const Statement& statement, const Statement& shown, const engine::Context& context,
                      json& document) {
  std::int64_t left = most_evidence_boxes;
  for (json& each : document["cases"]) {
    const Choices choices = each["choices"].get<Choices>();
    const Program program = language::compile(shown, choices);
    json boxes = json::array();
    if (program.dimension() > 0) {
      referee::BoxProof proof =
          referee::prove_on_box(program, context, left, {.derivatives = false, .keep_leaves = true});
      if (proof.status != referee::ProofStatus::certified)
        proof = referee::prove_on_box(program, context, left, {.derivatives = true, .keep_leaves = true});
      if (proof.status != referee::ProofStatus::certified)
        return "the proof for the statement as written needs more boxes than are written";
      left -= proof.boxes;
      for (const referee::ProofBox& leaf : proof.leaves) {
        json box = json::array();
        for (const language::RawInput& input : program.inputs()) {
          for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) {
            const auto& [lower, upper] = leaf[input.offset + k];
            box.push_back(
                {end_text(statement, choices, input, lower, false), end_text(statement, choices, input, upper, true)});
          }
        }
        boxes.push_back(std::move(box));
      }
      each["boxes"] = boxes;
    }
  }
  return "";
}

/// The cases: numbers while boxes are found, exact texts in the file.
std::string add_cases(const Statement& statement, const Statement* shown_by_boxes, const engine::Context& context,
                      json& document) {
  const auto all = all_choices(statement, 100000);
  if (!all) return "there are more than 100 000 cases, or a range without an end";
  document["cases"] = json::array();
  for (const Choices& choices : *all) document["cases"].push_back({{"choices", choices}});
  std::string why_not = shown_by_boxes ? add_boxes(statement, *shown_by_boxes, context, document) : "";
  for (json& each : document["cases"]) each["choices"] = choices_json(each["choices"].get<Choices>());
  return why_not;
}

json begin(const Statement& statement, const referee::Outcome& outcome, const Heading& heading) {
  const std::string text = language::normal_form(statement);
  json assumptions = json::array();
  for (const language::Binder& binder : statement.binders) {
    std::string joined;
    for (const language::Expr& condition : binder.conditions)
      joined += (joined.empty() ? "" : " and ") + language::normal_form(condition);
    if (!joined.empty()) assumptions.push_back(joined);
  }
  for (const language::Expr& condition : statement.conditions) assumptions.push_back(language::normal_form(condition));
  json document = {{"schema", "attest-evidence-1"},  {"id", heading.id},
                   {"paper", heading.paper},         {"label", heading.label},
                   {"title", heading.title},         {"statement", text},
                   {"sha256", digest::sha256(text)}, {"tex", language::tex(statement)},
                   {"domain", outcome.domain},       {"assumptions", assumptions}};
  if (!heading.part.empty()) document["part"] = heading.part;
  if (!heading.follows_since.empty()) document["follows_since"] = heading.follows_since;
  return document;
}

/// `forall x: not claim` for `exists x: claim`.
Statement denial_of(const Statement& statement) {
  Statement denied = referee::as_universal(statement, language::Quantifier::exists);
  denied.claim = make(language::Op::negation, {denied.claim});
  return denied;
}

/// `best C in S: forall ...` as `forall C in SET, ...`.
Statement with_constant_in(const Statement& statement, const language::Set& set) {
  Statement narrowed = referee::as_universal(statement, language::Quantifier::best);
  for (std::size_t b = 0; b < statement.binders.size(); ++b)
    if (statement.binders[b].quantifier == language::Quantifier::best) narrowed.binders[b].set = set;
  return narrowed;
}

/// No constant up to (from) the one that a point demands is enough, shown at that point for all of them at once; for a
/// certified constant also the boxes that show that it is.
std::string add_constant(const Statement& statement, const referee::Outcome& outcome, const Heading& heading,
                         const engine::Context& context, json& document) {
  const referee::BestConstant& best = *outcome.best;
  const language::Binder& binder = *referee::binder_of(statement, language::Quantifier::best);
  const bool refuted = outcome.verdict == Verdict::refuted;
  if (!best.witness || binder.set.kind != language::SetKind::interval || binder.names.size() != 1)
    return "the constant's set is not an interval, or no point was kept";
  language::Set demanded = binder.set;
  const Rational found = Rational::from_double(best.found);
  if (!refuted) demanded.args[best.smallest ? 1 : 0] = make_number(found);
  const Statement below = with_constant_in(statement, demanded);
  json not_enough = begin(below, outcome, heading);
  not_enough["kind"] = "witness";
  not_enough["method"] = "point";
  not_enough["every"] = best.name;
  referee::Point point = *best.witness;
  const Program program = language::compile(below, point.choices);
  for (const language::RawInput& input : program.inputs())
    if (input.name == best.name)
      point.raw[input.offset] = std::clamp(point.raw[input.offset], input.lower[0], input.upper[0]);
  if (std::string why_not = add_point(below, point, false, context, not_enough); !why_not.empty()) return why_not;
  not_enough["digest"] = digest_of(not_enough);
  document["not_enough"] = std::move(not_enough);
  if (refuted) return "";
  language::Set alone;
  alone.kind = language::SetKind::finite;
  alone.args = {make_number(Rational::from_double(best.not_refuted))};
  const Statement holds = with_constant_in(statement, alone);
  json enough = begin(holds, outcome, heading);
  enough["kind"] = "certificate";
  enough["method"] = "boxes";
  if (std::string why_not = add_cases(holds, &holds, context, enough); !why_not.empty()) return why_not;
  enough["digest"] = digest_of(enough);
  document["enough"] = std::move(enough);
  return "";
}

}  // namespace

std::string digest_of(const json& document) {
  json rest = document;
  rest.erase("digest");
  return digest::sha256(rest.dump(-1, ' ', true));
}

Heading typed_heading(const Statement& statement) {
  return {.id = "try/" + digest::sha256(language::normal_form(statement)).substr(0, 12)};
}

Evidence evidence_for(const Statement& original, const referee::Outcome& outcome, const Heading& heading,
                      const engine::Context& context) {
  const Statement statement =
      outcome.met ? *outcome.met : referee::with_alternatives(referee::with_sets_of_conditions(original));
  json document = begin(statement, outcome, heading);
  const bool refuted = outcome.verdict == Verdict::refuted, certified = outcome.verdict == Verdict::certified;
  std::string why_not;
  const auto take = [&](const char* kind, const char* method) {
    document["kind"] = kind;
    document["method"] = method;
  };
  if (refuted && outcome.question == "universal" && outcome.witness) {
    take("witness", "point");
    why_not = add_point(statement, *outcome.witness, false, context, document);
  } else if (certified && outcome.question == "existential" && outcome.witness) {
    take("certificate", "point");
    why_not = add_point(statement, *outcome.witness, true, context, document);
  } else if (certified && outcome.question == "universal" && outcome.method == "enumeration") {
    take("certificate", "enumeration");
    why_not = add_cases(statement, nullptr, context, document);
  } else if (certified && outcome.question == "universal" && outcome.method == "branch and bound") {
    take("certificate", "boxes");
    why_not = add_cases(statement, &statement, context, document);
  } else if (certified && outcome.question == "universal" && outcome.method == "exact algebra") {
    take("certificate", "algebra");
  } else if (refuted && outcome.question == "existential" && outcome.method == "enumeration") {
    take("witness", "enumeration");
    why_not = add_cases(statement, nullptr, context, document);
  } else if (refuted && outcome.question == "existential" && outcome.method == "branch and bound") {
    take("witness", "boxes");
    const Statement denied = denial_of(statement);
    why_not = add_cases(statement, &denied, context, document);
  } else if ((refuted || certified) && outcome.question == "best constant" && outcome.best) {
    take(refuted ? "witness" : "certificate", "constant");
    why_not = add_constant(statement, outcome, heading, context, document);
  } else if (refuted && (outcome.question == "limit" || outcome.question == "order") && outcome.witness) {
    take("witness", "limit");
    const LimitBound bound = limit_bound(statement, outcome.witness->choices);
    why_not = bound.why_not;
    document["choices"] = choices_json(bound.others);
    document["from"] = bound.from.to_string();
    document[bound.order ? "power" : "apart"] = bound.least.to_string();
  } else {
    why_not = refuted || certified
                  ? "it rests on " + outcome.method +
                        ", and evidence files hold points, cases, boxes, exact algebra, best constants and limits"
                  : "the verdict is not exact, so there is nothing to check again";
  }
  if (!why_not.empty()) return {std::nullopt, why_not};
  document["digest"] = digest_of(document);
  return {std::move(document), ""};
}

}  // namespace attest::evidence
