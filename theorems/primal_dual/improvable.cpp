#include "theorems/primal_dual/improvable.hpp"

#include <cmath>

#include "kernels/rigor/linear_solve.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/dense_solve.hpp"
#include "theorems/primal_dual/regression.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::size_t samples = 3;
constexpr std::size_t dimension = 2;

// Coefficient beta_0 = side (1 + excess) C; the others are free.
std::vector<double> coefficients(const Inputs& inputs) {
  const auto given = values(inputs, "beta", samples);
  std::vector<double> beta(given.begin(), given.end());
  beta[0] = std::copysign((1 + inputs.scalar("excess")) * inputs.scalar("C"), beta[0]);
  return beta;
}

double objective(const Regression& data, const std::vector<double>& gram, const std::vector<double>& beta) {
  double square = 0;
  double loss = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    double predicted = 0;
    for (std::size_t j = 0; j < samples; ++j) predicted += gram[i * samples + j] * beta[j];
    square += beta[i] * predicted;
    loss += std::max(std::abs(data.targets[i] - predicted) - data.epsilon, 0.0);
  }
  return square / 2 + data.box * loss;
}

engine::Sides double_sides(const Inputs& inputs, double factor) {
  const Regression data = regression(inputs, samples, dimension, false);
  const auto gram = Keys<double>(data.keys, dimension).gram();
  std::vector<double> beta = coefficients(inputs);
  const DenseSolution dual_vector =
      dense_solve(gram, {1, 0, 0});  // u_0 in the coordinates of beta; |u_0|^2 = its entry 0
  if (!(dual_vector.inverse_norm < 1e4)) return {std::nan(""), 0};
  const double excess = std::abs(beta[0]) - data.box;
  const double before = objective(data, gram, beta);
  const double step = std::copysign(excess / dual_vector.x[0], beta[0]);
  for (std::size_t i = 0; i < samples; ++i) beta[i] -= step * dual_vector.x[i];
  return {objective(data, gram, beta) + factor * excess * excess / (2 * dual_vector.x[0]), before};
}

engine::BallSides ball_sides(const Inputs& inputs, double factor) {
  const Regression data = regression(inputs, samples, dimension, false);
  const svr::BallProblem problem{exact_gram(Keys<Ball>(data.keys, dimension)), rigor::to_balls(data.targets),
                                 Ball(data.epsilon), Ball(data.box), false};
  const auto dual_vector = rigor::solve(problem.gram, rigor::to_balls(std::vector<double>{1, 0, 0}));
  if (!dual_vector) return {Ball(0), Ball(0), false};
  rigor::BallVector beta = rigor::to_balls(coefficients(inputs));
  const Ball excess = rigor::abs(beta[0]) - problem.box;
  const Ball before = svr::primal_objective(problem, beta, Ball(0));
  const Ball step = excess / (*dual_vector)[0] * Ball(std::copysign(1.0, beta[0].mid()));
  for (std::size_t i = 0; i < samples; ++i) beta[i] -= step * (*dual_vector)[i];
  const Ball decrease = excess * excess / (Ball(2) * (*dual_vector)[0]);
  return {svr::primal_objective(problem, beta, Ball(0)) + Ball(factor) * decrease, before, excess.is_positive()};
}

// Targets: y_0 = f(k_0) + position * epsilon, the others as given.
engine::BallSides inside_sides(const Inputs& inputs, double factor) {
  const Keys<Ball> keys(values(inputs, "keys", samples * dimension), dimension);
  svr::BallProblem problem{exact_gram(keys), rigor::to_balls(values(inputs, "targets", samples)),
                           Ball(inputs.scalar("epsilon")), Ball(inputs.scalar("C")), false};
  const auto dual_vector = rigor::solve(problem.gram, rigor::to_balls(std::vector<double>{1, 0, 0}));
  if (!dual_vector) return {Ball(0), Ball(0), false};
  rigor::BallVector beta = rigor::to_balls(values(inputs, "beta", samples));
  const Ball residual = Ball(inputs.scalar("position")) * problem.epsilon;
  problem.targets[0] = rigor::multiply(problem.gram, beta)[0] + residual;
  const Ball size = rigor::abs(beta[0]);
  const Ball squared_length = (*dual_vector)[0];
  const Ball step = rigor::min(problem.epsilon - rigor::abs(residual), size / squared_length);
  const Ball before = svr::primal_objective(problem, beta, Ball(0));
  const Ball side(std::copysign(1.0, beta[0].mid()));
  for (std::size_t i = 0; i < samples; ++i) beta[i] -= side * step * (*dual_vector)[i];
  const Ball decrease = step * size - step * step * squared_length / Ball(2);
  return {svr::primal_objective(problem, beta, Ball(0)) + Ball(factor) * decrease, before, decrease.is_positive()};
}

}  // namespace

engine::Check improvable_inside_the_tube(double factor) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -5, 5},
                               {"epsilon", 1, 0.05, 1},
                               {"C", 1, 0.1, 10},
                               {"beta", samples, -5, 5},
                               {"position", 1, -0.99, 0.99}});
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.ball_sides = [factor](const Inputs& inputs) { return inside_sides(inputs, factor); };
  problem.exact_rewriting = "the bound is attained: an objective before a step, and after it with the gain added";
  problem.corners = {layout.point(Inputs{{"keys", {1, 0, 0, 1, -1, -1}},
                                         {"targets", {0, 0, 0}},
                                         {"epsilon", {0.5}},
                                         {"C", {1}},
                                         {"beta", {1, 0, 0}},
                                         {"position", {0}}})};
  problem.evaluations = 4000;
  return guarded_inequality(std::move(problem));
}

engine::Check improvable_outside_the_box(double factor) {
  const engine::Layout layout({{"keys", samples * dimension, -1.5, 1.5},
                               {"targets", samples, -5, 5},
                               {"epsilon", 1, 0, 1},
                               {"C", 1, 0.1, 10},
                               {"beta", samples, -10, 10},
                               {"excess", 1, 0.001, 1}});
  engine::InequalityProblem problem;
  search_over(problem, layout);
  problem.sides = [factor](const Inputs& inputs) { return double_sides(inputs, factor); };
  problem.ball_sides = [factor](const Inputs& inputs) { return ball_sides(inputs, factor); };
  problem.corners = {layout.point(Inputs{{"keys", {1, 0, 0, 1, -1, -1}},
                                         {"targets", {-5, 0, 0}},
                                         {"epsilon", {0.25}},
                                         {"C", {1}},
                                         {"beta", {1, 0, 0}},
                                         {"excess", {0.5}}})};
  problem.evaluations = 8000;
  return guarded_inequality(std::move(problem));
}

}  // namespace attest::primal_dual
