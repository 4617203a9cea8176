#include "theorems/engine/protocols/certification.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/rigor/certify.hpp"
#include "kernels/search/minimal_witness.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

/// The margin at a stored point, as the right side of 0 <= margin.
BallSides margin_sides(const BoxProblem& problem, const Inputs& inputs) {
  std::vector<Ball> x;
  bool inside = true;
  for (std::size_t i = 0; i < problem.coordinates.size(); ++i) {
    const double value = inputs.scalar(problem.coordinates[i]);
    inside = inside && value >= problem.lower[i] && value <= problem.upper[i];
    x.emplace_back(value);
  }
  return {Ball(0), problem.margin(x), inside};
}

/// The box, and in parentheses what its author says that it stands for.
std::string box_in_words(const BoxProblem& problem) {
  std::string text;
  for (std::size_t i = 0; i < problem.coordinates.size(); ++i)
    text += fmt::format("{}{} in [{:.6g}, {:.6g}]", i == 0 ? "" : "; ", problem.coordinates[i], problem.lower[i],
                        problem.upper[i]);
  return text + (problem.domain.empty() ? "" : fmt::format(" ({})", problem.domain));
}

/// The cases' inputs with the values that they take, and in parentheses what their author says that they are.
std::string cases_in_words(const EnumerationProblem& problem) {
  struct Taken {
    std::string name;
    std::size_t least_count, most_count;
    std::set<double> values;
  };
  constexpr std::size_t listed = 12;  // values of a name; of more only the ends are told
  std::vector<Taken> taken;
  for (std::int64_t i = 0; i < problem.cases; ++i) {
    const Inputs inputs = problem.case_inputs(i);
    for (const auto& entry : inputs.entries()) {
      const auto& name = entry.first;
      const auto& values = entry.second;
      auto at = std::find_if(taken.begin(), taken.end(), [&](const Taken& t) { return t.name == name; });
      if (at == taken.end()) at = taken.insert(taken.end(), {name, values.size(), values.size(), {}});
      at->least_count = std::min(at->least_count, values.size());
      at->most_count = std::max(at->most_count, values.size());
      at->values.insert(values.begin(), values.end());
    }
  }
  std::string text = fmt::format("{} case{}", problem.cases, problem.cases == 1 ? "" : "s");
  for (std::size_t k = 0; k < taken.size(); ++k) {
    const Taken& t = taken[k];
    text += (k == 0 ? ": " : "; ") + t.name;
    if (t.least_count != t.most_count) text += fmt::format(" ({} to {} numbers)", t.least_count, t.most_count);
    if (t.least_count == t.most_count && t.most_count != 1) text += fmt::format(" ({} numbers)", t.most_count);
    if (t.values.empty()) continue;
    if (t.values.size() > listed)
      text += fmt::format(" from {:.6g} to {:.6g}, {} values", *t.values.begin(), *t.values.rbegin(), t.values.size());
    else
      text += fmt::format(" {} {:.6g}", t.most_count == 1 ? "=" : "of", fmt::join(t.values, ", "));
  }
  return text + (problem.domain.empty() ? "" : fmt::format(" ({})", problem.domain));
}

/// A violating point rounded to short coordinates that still violate by half as much.
std::vector<double> shortened(const BoxProblem& problem, const std::vector<double>& point, const Context& context) {
  const auto margin_at = [&](std::span<const double> x) {
    std::vector<Ball> balls;
    for (const double value : x) balls.emplace_back(value);
    return problem.margin(balls);
  };
  const double found = margin_at(point).mid();
  return search::shorten_witness(point, [&](std::span<const double> x) {
    context.poll();
    if (!in_box(x, problem.lower, problem.upper)) return false;
    const Ball margin = margin_at(x);
    return margin.is_negative() && margin.mid() <= found / 2;
  });
}

Evidence run_box(const BoxProblem& problem, const Context& context) {
  const auto margin = [&](std::span<const Ball> x) {
    context.poll();
    return problem.margin(x);
  };
  std::vector<rigor::Interval> box;
  for (std::size_t i = 0; i < problem.lower.size(); ++i) box.push_back({problem.lower[i], problem.upper[i]});
  const rigor::Certification found = rigor::certify_nonnegative(margin, box, context.evaluations(problem.boxes));
  CertificationEvidence evidence;
  evidence.domain = box_in_words(problem);
  evidence.boxes = found.boxes_examined;
  evidence.undecided_fraction =
      found.status == rigor::CertificationStatus::certified ? 0 : found.undecided_volume_fraction;
  if (found.status == rigor::CertificationStatus::undecided && evidence.undecided_fraction == 0)
    evidence.undecided_fraction = std::numeric_limits<double>::min();  // boxes of no volume are left, yet they are left
  if (found.status == rigor::CertificationStatus::violated) {
    Inputs inputs;
    const std::vector<double> point =
        context.stop_at_violation ? found.point : shortened(problem, found.point, context);
    for (std::size_t i = 0; i < problem.coordinates.size(); ++i) inputs.add(problem.coordinates[i], {point[i]});
    const auto sides = [&](const Inputs& at) { return margin_sides(problem, at); };
    evidence.witness = make_witness(inputs, Relation::less_equal, decide(Relation::less_equal, sides, inputs));
  }
  return {evidence};
}

Evidence run_box_existence(const BoxProblem& problem, const Context& context) {
  const Evidence searched = run_box(problem, context);
  const auto& inner = std::get<CertificationEvidence>(searched.body);
  ExistenceEvidence evidence;
  evidence.evaluations = inner.boxes;
  evidence.admissible = inner.boxes;
  evidence.witness = inner.witness;
  if (evidence.witness) evidence.witness->relation = Relation::greater;
  if (!evidence.witness && inner.undecided_fraction == 0) evidence.exhausted = box_in_words(problem);
  return {evidence};
}

/// Every case is looked at, for the witness is the first that shows half of the largest violation; a near-miss stops at
/// the first violation.
Evidence run_enumeration(const EnumerationProblem& problem, const Context& context) {
  CertificationEvidence evidence;
  evidence.domain = cases_in_words(problem);
  std::int64_t open = 0;
  struct Found {
    std::int64_t number;
    double relative;
  };
  std::vector<Found> violations;
  for (std::int64_t i = 0; i < problem.cases; ++i) {
    context.poll();
    const Inputs inputs = problem.case_inputs(i);
    const BallVerdict verdict = decide(problem.relation, problem.ball_sides, inputs);
    ++evidence.boxes;
    if (verdict.decision == BallDecision::violated) {
      violations.push_back({i, violation(problem.relation, problem.ball_sides(inputs)).relative});
      if (context.stop_at_violation) break;
      continue;
    }
    const bool exact_equality = problem.relation == Relation::equal && [&] {
      const BallSides sides = problem.ball_sides(inputs);
      return sides.assumptions_hold && sides.lhs.is_exact() && sides.rhs.is_exact();
    }();
    if (verdict.decision != BallDecision::holds && !exact_equality) ++open;
  }
  if (!violations.empty()) {
    double best = 0;
    for (const Found& found : violations) best = std::max(best, found.relative);
    const auto first = std::find_if(violations.begin(), violations.end(),
                                    [&](const Found& found) { return found.relative >= best / 2; });
    const Inputs inputs = problem.case_inputs(first->number);
    evidence.witness = make_witness(inputs, problem.relation, decide(problem.relation, problem.ball_sides, inputs));
  }
  if (evidence.boxes > 0) evidence.undecided_fraction = static_cast<double>(open) / static_cast<double>(evidence.boxes);
  return {evidence};
}

/// A stored case counts only when it is one of the enumeration's: its inputs could ask for any size.
void require_case(const EnumerationProblem& problem, const Inputs& inputs) {
  for (std::int64_t i = 0; i < problem.cases; ++i)
    if (problem.case_inputs(i) == inputs) return;
  throw std::invalid_argument(fmt::format("the stored inputs are not one of the statement's {} cases", problem.cases));
}

std::shared_ptr<const BoxProblem> checked(BoxProblem problem, const char* protocol) {
  if (problem.coordinates.empty() || problem.coordinates.size() != problem.lower.size() ||
      problem.lower.size() != problem.upper.size())
    throw std::invalid_argument(std::string(protocol) +
                                ": coordinates, lower and upper must have the same positive length");
  if (!problem.margin) throw std::invalid_argument(std::string(protocol) + ": the margin must be given");
  return std::make_shared<const BoxProblem>(std::move(problem));
}

}  // namespace

Check certify_on_box(BoxProblem problem) {
  const auto shared = checked(std::move(problem), "certify_on_box");
  return {.protocol = "interval branch and bound in ball arithmetic over the whole box",
          .run = [shared](const Context& context) { return run_box(*shared, context); },
          .replay =
              [shared](const Witness& witness, const Context&) {
                return replay_sides(
                    witness, Relation::less_equal, [&](const Inputs& at) { return margin_sides(*shared, at); }, false);
              },
          .domain = [shared] { return box_in_words(*shared); }};
}

Check exists_on_box(BoxProblem problem) {
  const auto shared = checked(std::move(problem), "exists_on_box");
  return {
      .protocol =
          "interval branch and bound in ball arithmetic over the whole box, for a point or for the proof that there "
          "is none",
      .run = [shared](const Context& context) { return run_box_existence(*shared, context); },
      .replay =
          [shared](const Witness& witness, const Context&) {
            return replay_sides(
                witness, Relation::greater, [&](const Inputs& at) { return margin_sides(*shared, at); }, true);
          },
      .domain = [shared] { return box_in_words(*shared); }};
}

Check enumerate(EnumerationProblem problem) {
  if (problem.cases <= 0) throw std::invalid_argument("enumerate: at least one case is needed");
  if (!problem.case_inputs || !problem.ball_sides)
    throw std::invalid_argument("enumerate: case_inputs and ball_sides must be given");
  const auto shared = std::make_shared<const EnumerationProblem>(std::move(problem));
  return {.protocol = "every case of a finite domain, decided in ball arithmetic",
          .run = [shared](const Context& context) { return run_enumeration(*shared, context); },
          .replay =
              [shared](const Witness& witness, const Context&) {
                require_case(*shared, witness.inputs);
                return replay_sides(witness, shared->relation, shared->ball_sides, false);
              },
          .domain = [shared] { return cases_in_words(*shared); }};
}

}  // namespace attest::engine
