#include "theorems/referee/search/within_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <span>

#include <nlopt.h>

#include "theorems/language/evaluation/decide.hpp"

namespace attest::referee {
namespace {

using language::Formula;

/// What NLopt's callbacks share.
struct Session {
  language::Evaluator& at;
  const language::Program& program;
  const std::function<void(const std::vector<double>&)>& visit;
  double unit = 1;  ///< of the margins: a relative slack is flat where one side outweighs the other
  nlopt_opt running = nullptr;
  std::exception_ptr failure = nullptr;
};

/// One condition of a session.
struct Constraint {
  Session& session;
  const Formula& condition;
};

/// factor d margin / dx.
void write_gradient(language::Evaluator& at, const Formula& formula, double factor, std::span<double> gradient) {
  std::ranges::fill(gradient, 0.0);
  language::margin_gradient(at, formula, false, gradient);
  for (double& slope : gradient) slope = std::isfinite(slope) ? factor * slope : 0;
}

double objective(unsigned n, const double* x, double* gradient, void* data) {
  Session& session = *static_cast<Session*>(data);
  // Exceptions must not cross NLopt's C code: the interruption is kept and thrown again by the caller.
  try {
    const std::vector<double> point(x, x + n);
    session.visit(point);
    session.at.run(point);
    const Formula& claim = session.program.claim();
    if (gradient != nullptr) write_gradient(session.at, claim, 1 / session.unit, {gradient, n});
    const double margin = language::margin(session.at, claim, false) / session.unit;
    return std::isfinite(margin) ? margin : 1.0;
  } catch (...) {
    session.failure = std::current_exception();
    if (session.running != nullptr) nlopt_force_stop(session.running);
    return 1.0;
  }
}

/// A hair inside, so that rounding does not put the end on the wrong side.
double inequality(unsigned n, const double* x, double* gradient, void* data) {
  const Constraint& constraint = *static_cast<Constraint*>(data);
  language::Evaluator& at = constraint.session.at;
  at.run({x, n});
  if (gradient != nullptr) write_gradient(at, constraint.condition, -1, {gradient, n});
  const double margin = language::margin(at, constraint.condition, false);
  return std::isnan(margin) ? 1.0 : 1e-10 - margin;
}

/// Of an equation the signed difference, which is smooth where it vanishes.
double equation(unsigned n, const double* x, double* gradient, void* data) {
  const Constraint& constraint = *static_cast<Constraint*>(data);
  language::Evaluator& at = constraint.session.at;
  at.run({x, n});
  const language::ActiveRelation active = language::active_relation(at, constraint.condition, false);
  const double sign = active.direction < 0 ? -1 : 1;
  if (gradient != nullptr) write_gradient(at, constraint.condition, sign, {gradient, n});
  return std::isnan(active.margin) ? 1.0 : sign * active.margin;
}

}  // namespace

std::vector<double> descend_within_conditions(Landscape& landscape, const search::Problem& problem,
                                              const std::vector<double>& start, std::int64_t evaluations,
                                              const std::function<void(const std::vector<double>&)>& visit) {
  // Each step solves for all constraints at once.
  constexpr std::size_t most_constraints = 300;
  if (landscape.program().conditions().size() > most_constraints) return {};
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> handle(
      nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(start.size())), &nlopt_destroy);
  if (!handle) return {};
  Session session{landscape.evaluator(), landscape.program(), visit};
  std::vector<Constraint> constraints;
  for (const Formula& condition : landscape.program().conditions()) constraints.push_back({session, condition});
  nlopt_set_min_objective(handle.get(), objective, &session);
  nlopt_set_lower_bounds(handle.get(), problem.lower.data());
  nlopt_set_upper_bounds(handle.get(), problem.upper.data());
  for (Constraint& each : constraints) {
    if (each.condition.kind == Formula::Kind::relation && each.condition.relation == language::Relation::equal) {
      nlopt_add_equality_constraint(handle.get(), equation, &each, 1e-14);
    } else {
      nlopt_add_inequality_constraint(handle.get(), inequality, &each, 0);
    }
  }
  nlopt_set_maxeval(handle.get(), static_cast<int>(evaluations));
  nlopt_set_xtol_rel(handle.get(), 1e-12);
  std::vector<double> point = start;
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = std::clamp(point[i], problem.lower[i], problem.upper[i]);
  session.at.run(start);
  session.unit = std::abs(language::margin(session.at, landscape.program().claim(), false));
  if (!(session.unit > 1e-300) || !std::isfinite(session.unit)) session.unit = 1;
  session.running = handle.get();
  double value = 0;
  nlopt_optimize(handle.get(), point.data(), &value);
  if (session.failure) std::rethrow_exception(session.failure);
  return point;
}

}  // namespace attest::referee
