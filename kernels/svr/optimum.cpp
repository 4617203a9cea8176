#include "kernels/svr/optimum.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/rigor/linear_solve.hpp"

namespace attest::svr {
namespace {

using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

bool is_exact_zero(const Ball& x) { return x.is_exact() && x.contains_zero(); }

int sign(Place place) {
  if (place == Place::zero) return 0;
  return place == Place::positive || place == Place::upper_bound ? 1 : -1;
}

bool at_bound(Place place) { return place == Place::upper_bound || place == Place::lower_bound; }

// Free samples: those whose beta the equations determine. Without a tube 0 is an ordinary value.
std::vector<std::size_t> free_samples(std::span<const Place> places, bool tube) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!at_bound(places[i]) && (places[i] != Place::zero || !tube)) free.push_back(i);
  }
  return free;
}

// [K_FF 1; 1' 0] [beta_F; b] = [y_F - epsilon s_F - K_FB beta_B; -sum beta_B], without the border when there is no
// bias.
bool solve_free(const BallProblem& problem, std::span<const Place> places, const std::vector<std::size_t>& free,
                Optimum& optimum) {
  const std::size_t m = free.size();
  const std::size_t border = problem.with_bias && m > 0 ? 1 : 0;
  BallMatrix system(m + border, m + border);
  BallVector right(m + border);
  for (std::size_t r = 0; r < m; ++r) {
    const std::size_t i = free[r];
    right[r] = problem.targets[i] - problem.epsilon * sign(places[i]);
    for (std::size_t j = 0; j < places.size(); ++j) right[r] -= problem.gram(i, j) * optimum.beta[j];
    for (std::size_t c = 0; c < m; ++c) system(r, c) = problem.gram(i, free[c]);
    if (border != 0) system(r, m) = system(m, r) = Ball(1);
  }
  if (border != 0) right[m] = -rigor::sum(optimum.beta);
  const auto solution = rigor::solve(system, right);
  if (!solution) return false;
  for (std::size_t r = 0; r < m; ++r) optimum.beta[free[r]] = (*solution)[r];
  if (border != 0) optimum.bias = (*solution)[m];
  return true;
}

// The conditions that the equations do not contain. Each answer is certain.
bool condition_holds(const BallProblem& problem, Place place, const Ball& beta, const Ball& residual) {
  const bool tube = !is_exact_zero(problem.epsilon);
  if (at_bound(place)) return rigor::certainly_less_equal(problem.epsilon, residual * sign(place));
  if (place == Place::zero && tube) return rigor::certainly_less_equal(rigor::abs(residual), problem.epsilon);
  if (problem.box.is_finite() && !rigor::certainly_less(rigor::abs(beta), problem.box)) return false;
  return !tube || (beta * sign(place)).is_positive();
}

}  // namespace

std::vector<Place> places(const Solution& solution, double box) {
  std::vector<Place> list;
  for (const double beta : solution.beta) {
    if (beta == 0) {
      list.push_back(Place::zero);
    } else if (std::abs(beta) >= box) {
      list.push_back(beta > 0 ? Place::upper_bound : Place::lower_bound);
    } else {
      list.push_back(beta > 0 ? Place::positive : Place::negative);
    }
  }
  return list;
}

std::optional<Optimum> enclose_optimum(const BallProblem& problem, std::span<const Place> places, double bias_hint) {
  const std::size_t n = places.size();
  if (problem.gram.rows != n || problem.gram.cols != n || problem.targets.size() != n) {
    throw std::invalid_argument(fmt::format("svr::enclose_optimum: {} places, {} targets and a {} x {} kernel matrix",
                                            n, problem.targets.size(), problem.gram.rows, problem.gram.cols));
  }
  Optimum optimum{BallVector(n), Ball(0), {}};
  for (std::size_t i = 0; i < n; ++i) {
    if (at_bound(places[i])) optimum.beta[i] = problem.box * sign(places[i]);
  }
  const auto free = free_samples(places, !is_exact_zero(problem.epsilon));
  if (!solve_free(problem, places, free, optimum)) return std::nullopt;
  if (problem.with_bias && free.empty()) {
    if (!is_exact_zero(rigor::sum(optimum.beta))) return std::nullopt;
    optimum.bias = Ball(bias_hint);
  }
  optimum.fitted = rigor::multiply(problem.gram, optimum.beta);
  for (std::size_t i = 0; i < n; ++i) {
    optimum.fitted[i] += optimum.bias;
    const Ball residual = problem.targets[i] - optimum.fitted[i];
    if (!condition_holds(problem, places[i], optimum.beta[i], residual)) return std::nullopt;
  }
  return optimum;
}

}  // namespace attest::svr
