#include "kernels/search/local_optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>

#include <nlopt.h>

namespace attest::search {
namespace {

/// What one call of NLopt reads and writes: the problem, the best point so far and the evaluations left.
struct Session {
  const Problem& problem;
  Phase& phase;
  std::int64_t evaluations_left;
  double worst;  ///< largest finite slack met
  nlopt_opt handle = nullptr;
  std::exception_ptr failure = nullptr;
};

/// The objective that NLopt sees. Exceptions must not cross its C code: they are kept and rethrown by the caller.
double objective(unsigned n, const double* x, double* gradient, void* data) {
  Session& session = *static_cast<Session*>(data);
  // Methods test their stopping rules only between steps, so the cap is enforced here too.
  if (session.evaluations_left <= 0) {
    nlopt_force_stop(session.handle);
    return session.worst;
  }
  // COBYLA divides by zero where the slack is flat in most directions; from then on it proposes no points.
  if (std::any_of(x, x + n, [](double coordinate) { return std::isnan(coordinate); })) {
    nlopt_force_stop(session.handle);
    return session.worst;
  }
  try {
    // NLopt's methods step outside the bounds by a few units in the last place, where the claim says nothing.
    std::vector<double> inside(x, x + n);
    for (unsigned i = 0; i < n; ++i) inside[i] = std::clamp(x[i], session.problem.lower[i], session.problem.upper[i]);
    const std::span<const double> point(inside);
    const double slack = session.problem.slack(point);
    --session.evaluations_left;
    ++session.phase.evaluations;
    if (gradient != nullptr) {
      const std::span<double> slope(gradient, n);
      session.problem.gradient(point, slope);
      for (double& component : slope) component = std::isfinite(component) ? component : 0.0;
    }
    if (std::isnan(slack)) return session.worst + 1 + std::abs(session.worst);
    ++session.phase.admissible;
    if (!(slack >= session.phase.least_slack)) {
      session.phase.least_slack = slack;
      session.phase.argmin = inside;
    }
    if (!std::isfinite(slack)) {
      // -infinity is the strongest violation there is: nothing is left to improve.
      if (slack < 0) nlopt_force_stop(session.handle);
      return session.worst + 1 + std::abs(session.worst);
    }
    session.worst = std::max(session.worst, slack);
    return slack;
  } catch (...) {
    session.failure = std::current_exception();
    nlopt_force_stop(session.handle);
    return session.worst;
  }
}

std::vector<nlopt_algorithm> chain_of_methods(std::size_t coordinates, bool with_gradient, int rotation) {
  // The interpolating methods keep n^2 numbers and solve n x n systems: beyond this size Subplex alone is better spent,
  // and where a gradient leads, far sooner.
  const std::size_t most_coordinates_to_interpolate = with_gradient ? 12 : 64;
  std::vector<nlopt_algorithm> chain = {NLOPT_LN_SBPLX};
  if (coordinates <= most_coordinates_to_interpolate) chain.push_back(NLOPT_LN_COBYLA);
  // BOBYQA is not defined for a single coordinate.
  if (coordinates > 1 && coordinates <= most_coordinates_to_interpolate) chain.push_back(NLOPT_LN_BOBYQA);
  const auto shift = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(rotation) % chain.size());
  std::rotate(chain.begin(), chain.begin() + shift, chain.end());
  if (with_gradient) {
    chain.insert(chain.begin(), rotation % 2 == 0 ? NLOPT_LD_LBFGS : NLOPT_LD_MMA);
  }
  return chain;
}

/// First steps: a share of the box's width, or of the coordinate's own magnitude where that is smaller, so that a
/// start found at a small scale is explored at that scale.
std::vector<double> initial_steps(const Problem& problem, const std::vector<double>& start, int rotation) {
  std::vector<double> steps(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double width = problem.upper[i] - problem.lower[i];
    const double wide = 0.1 * width;
    const double own = std::max(0.1 * std::abs(start[i]), 1e-6 * width);
    steps[i] = rotation % 2 == 0 ? wide : std::min(wide, own);
    // NLopt refuses a step of zero, which a coordinate fixed by its bounds would get.
    if (!(steps[i] > 0)) steps[i] = 1e-3;
  }
  return steps;
}

}  // namespace

Phase optimise_locally(const Problem& problem, const std::vector<double>& start, double start_slack, int rotation,
                       std::int64_t evaluations) {
  Phase phase{.least_slack = start_slack, .argmin = start};
  const bool with_gradient = static_cast<bool>(problem.gradient);
  const std::vector<nlopt_algorithm> chain = chain_of_methods(start.size(), with_gradient, rotation);
  double worst = std::isfinite(start_slack) ? start_slack : 0.0;
  std::int64_t left = evaluations;
  for (std::size_t link = 0;
       link < chain.size() && left > 0 && phase.least_slack > -std::numeric_limits<double>::infinity(); ++link) {
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> handle(
        nlopt_create(chain[link], static_cast<unsigned>(start.size())), &nlopt_destroy);
    if (!handle) throw std::bad_alloc();
    // What earlier methods of the chain did not use goes to the later ones.
    const std::int64_t cap = std::max<std::int64_t>(1, left / static_cast<std::int64_t>(chain.size() - link));
    Session session{
        .problem = problem, .phase = phase, .evaluations_left = cap, .worst = worst, .handle = handle.get()};
    nlopt_set_min_objective(handle.get(), objective, &session);
    nlopt_set_lower_bounds(handle.get(), problem.lower.data());
    nlopt_set_upper_bounds(handle.get(), problem.upper.data());
    nlopt_set_maxeval(handle.get(), static_cast<int>(std::min<std::int64_t>(cap, std::numeric_limits<int>::max())));
    nlopt_set_xtol_rel(handle.get(), 1e-14);
    nlopt_set_ftol_rel(handle.get(), 1e-15);
    std::vector<double> point = phase.argmin;
    const std::vector<double> steps = initial_steps(problem, point, rotation + static_cast<int>(link));
    nlopt_set_initial_step(handle.get(), steps.data());
    double value = 0;
    // The status does not matter: a method that gave up for rounding or reached its cap leaves its best point in
    // `phase`.
    nlopt_optimize(handle.get(), point.data(), &value);
    if (session.failure) std::rethrow_exception(session.failure);
    left -= cap - session.evaluations_left;
    worst = session.worst;
  }
  return phase;
}

}  // namespace attest::search
