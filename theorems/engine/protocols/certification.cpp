#include "theorems/engine/protocols/certification.hpp"

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/rigor/certify.hpp"

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

Evidence run_box(const BoxProblem& problem, const Context& context) {
  const auto margin = [&](std::span<const Ball> x) {
    context.poll();
    return problem.margin(x);
  };
  std::vector<rigor::Interval> box;
  for (std::size_t i = 0; i < problem.lower.size(); ++i) box.push_back({problem.lower[i], problem.upper[i]});
  const rigor::Certification found = rigor::certify_nonnegative(margin, box, context.evaluations(problem.boxes));
  CertificationEvidence evidence;
  evidence.domain = problem.domain;
  evidence.boxes = found.boxes_examined;
  evidence.undecided_fraction =
      found.status == rigor::CertificationStatus::certified ? 0 : found.undecided_volume_fraction;
  if (found.status == rigor::CertificationStatus::undecided && evidence.undecided_fraction == 0)
    evidence.undecided_fraction = std::numeric_limits<double>::min();  // boxes of no volume are left, yet they are left
  if (found.status == rigor::CertificationStatus::violated) {
    Inputs inputs;
    for (std::size_t i = 0; i < problem.coordinates.size(); ++i) inputs.add(problem.coordinates[i], {found.point[i]});
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
  if (!evidence.witness && inner.undecided_fraction == 0) evidence.exhausted = problem.domain;
  return {evidence};
}

Evidence run_enumeration(const EnumerationProblem& problem, const Context& context) {
  CertificationEvidence evidence;
  evidence.domain = problem.domain;
  std::int64_t open = 0;
  for (std::int64_t i = 0; i < problem.cases; ++i) {
    context.poll();
    const Inputs inputs = problem.case_inputs(i);
    const BallVerdict verdict = decide(problem.relation, problem.ball_sides, inputs);
    ++evidence.boxes;
    if (verdict.decision == BallDecision::violated) {
      evidence.witness = make_witness(inputs, problem.relation, verdict);
      break;
    }
    const bool exact_equality = problem.relation == Relation::equal && [&] {
      const BallSides sides = problem.ball_sides(inputs);
      return sides.assumptions_hold && sides.lhs.is_exact() && sides.rhs.is_exact();
    }();
    if (verdict.decision != BallDecision::holds && !exact_equality) ++open;
  }
  if (evidence.boxes > 0) evidence.undecided_fraction = static_cast<double>(open) / static_cast<double>(evidence.boxes);
  return {evidence};
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
  return {"interval branch and bound in ball arithmetic over the whole box",
          [shared](const Context& context) { return run_box(*shared, context); },
          [shared](const Witness& witness, const Context&) {
            return replay_sides(
                witness, Relation::less_equal, [&](const Inputs& at) { return margin_sides(*shared, at); }, false);
          }};
}

Check exists_on_box(BoxProblem problem) {
  const auto shared = checked(std::move(problem), "exists_on_box");
  return {
      "interval branch and bound in ball arithmetic over the whole box, for a point or for the proof that there is "
      "none",
      [shared](const Context& context) { return run_box_existence(*shared, context); },
      [shared](const Witness& witness, const Context&) {
        return replay_sides(
            witness, Relation::greater, [&](const Inputs& at) { return margin_sides(*shared, at); }, true);
      }};
}

Check enumerate(EnumerationProblem problem) {
  if (problem.cases <= 0) throw std::invalid_argument("enumerate: at least one case is needed");
  if (!problem.case_inputs || !problem.ball_sides)
    throw std::invalid_argument("enumerate: case_inputs and ball_sides must be given");
  const auto shared = std::make_shared<const EnumerationProblem>(std::move(problem));
  return {"every case of a finite domain, decided in ball arithmetic",
          [shared](const Context& context) { return run_enumeration(*shared, context); },
          [shared](const Witness& witness, const Context&) {
            return replay_sides(witness, shared->relation, shared->ball_sides, false);
          }};
}

}  // namespace attest::engine
