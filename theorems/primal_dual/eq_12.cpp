// Eqs 12 and 13: the monomial features of the exponential kernel.
#include <cmath>

#include "kernels/svr/feature_map.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/layout.hpp"
#include "theorems/primal_dual/keys.hpp"
#include "theorems/primal_dual/monomials.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using rigor::Ball;

constexpr std::int64_t most_variables = 6;
constexpr std::int64_t degrees = 9;  // 0 .. 8

// binom(n, k) as a product of fractions: independent of the recursion that lists the exponents.
Ball binomial(std::int64_t n, std::int64_t k) {
  Ball product(1);
  for (std::int64_t i = 1; i <= k; ++i) product *= Ball(n - k + i);
  for (std::int64_t i = 1; i <= k; ++i) product /= Ball(i);
  return product;
}

// The number of exponent vectors of degree t in D variables, listed, against binom(D + t - shift, t).
engine::Check count(std::int64_t shift) {
  engine::EnumerationProblem problem;
  problem.domain = "D = 1 .. 6, t = 0 .. 8";
  problem.cases = most_variables * degrees;
  problem.case_inputs = [](std::int64_t i) {
    return Inputs{{"D", {static_cast<double>(1 + i / degrees)}}, {"t", {static_cast<double>(i % degrees)}}};
  };
  problem.ball_sides = [shift](const Inputs& inputs) -> engine::BallSides {
    const double variables = inputs.scalar("D");
    const double degree = inputs.scalar("t");
    const bool in_domain = variables >= 1 && variables <= most_variables && degree >= 0 && degree < degrees &&
                           variables == std::floor(variables) && degree == std::floor(degree);
    if (!in_domain) return {Ball(0), Ball(0), false};
    const auto listed = svr::exponents(static_cast<std::size_t>(variables), static_cast<unsigned>(degree)).size();
    return {Ball(listed),
            binomial(static_cast<std::int64_t>(variables + degree) - shift, static_cast<std::int64_t>(degree))};
  };
  return engine::enumerate(std::move(problem));
}

// What near-misses change in Eq 13: the coefficient of degree 2, and the root of the factorials.
struct Variation {
  double degree_two = 1;
  bool without_root = false;
};

// exp(x'y) against the double sum of Eq 13 cut at `degree`, its remainder enclosed.
engine::Check multinomial(std::size_t dimension, unsigned degree, Variation change) {
  const engine::Layout layout({{"x", dimension, -1, 1}, {"y", dimension, -1, 1}});
  const svr::FeatureMap doubles(dimension, degree, 1.0);
  const Monomials balls(dimension, degree);
  engine::IdentityProblem problem;
  search_over(problem, layout);
  const auto factor = [balls, change](std::size_t l) { return balls.degree_of(l) == 2 ? change.degree_two : 1.0; };
  std::vector<double> inverse_factorials;
  for (std::size_t l = 0; l < balls.size(); ++l) {
    const double root = change.without_root ? balls.inverse_root_of_factorials(l).mid() : 1.0;
    inverse_factorials.push_back(root * root);
  }
  problem.sides = [doubles, factor, dimension, inverse_factorials](const Inputs& inputs) -> engine::IdentitySides {
    const auto x = values(inputs, "x", dimension);
    const auto y = values(inputs, "y", dimension);
    const auto phi = doubles(x);
    const auto psi = doubles(y);
    double sum = 0;
    double size = 0;
    for (std::size_t l = 0; l < phi.size(); ++l) {
      sum += factor(l) * phi[l] * psi[l] * inverse_factorials[l];
      size += std::abs(phi[l] * psi[l]);
    }
    return {{std::exp(inner_product(x, y))}, {sum}, size};
  };
  problem.ball_sides = [balls, factor, change, dimension](const Inputs& inputs) -> engine::IdentityBallSides {
    const auto x = rigor::to_balls(values(inputs, "x", dimension));
    const auto y = rigor::to_balls(values(inputs, "y", dimension));
    const auto phi = balls(x, Ball(1));
    const auto psi = balls(y, Ball(1));
    const Ball u = rigor::dot(x, y);
    Ball sum = exponential_remainder(u, balls.degree());
    for (std::size_t l = 0; l < phi.size(); ++l) {
      Ball term = phi[l] * psi[l] * Ball(factor(l));
      // Without roots each factor carries 1 / n!, so the product differs from Eq 13's by the roots once more.
      if (change.without_root) term *= balls.inverse_root_of_factorials(l) * balls.inverse_root_of_factorials(l);
      sum += term;
    }
    return {{rigor::exp(u)}, {sum}};
  };
  // A feature takes 3 roundings a factor, at most `degree` factors each; then the sum of size() terms.
  problem.rounding_bound = (6.0 * degree + static_cast<double>(balls.size())) * 0x1p-53;
  problem.evaluations = 150;
  problem.ball_points = 12;
  return engine::identity(std::move(problem));
}

engine::Check every_dimension(Variation change) {
  return engine::composite({{"D = 1", engine::Kind::identity, multinomial(1, 30, change)},
                            {"D = 2", engine::Kind::identity, multinomial(2, 32, change)},
                            {"D = 3", engine::Kind::identity, multinomial(3, 36, change)}});
}

}  // namespace

engine::Claims eq_12() {
  engine::Claim count_claim;
  count_claim.statement = {
      .id = "primal-dual/eq-12-count",
      .label = "Eq 12 / Eq 28 (count l_t)",
      .title = "There are binom(D+t-1, t) monomials of degree t",
      .kind = engine::Kind::identity,
      .tex = R"(l_t = \#\{n \in \mathbb N_0^D : n_1 + \dots + n_D = t\} = \binom{D+t-1}{t})",
      .assumptions = {"D >= 1, t >= 0"},
      .expected = engine::Verdict::certified,
      .note =
          "For D = 64 the features of degree up to 12 already number binom(76, 12) = 3.7e13: the map is a device of "
          "proof, not of computation."};
  count_claim.check = count(1);
  count_claim.near_misses = {{"binom(D+t, t): degrees up to t counted together", 1, count(0)},
                             {"binom(D+t-2, t): one variable fewer", 1, count(2)}};

  engine::Claim sum_claim;
  sum_claim.statement = {
      .id = "primal-dual/eq-13",
      .label = "Eq 13 / Eq 29",
      .title = "The exponential of an inner product as a sum over monomials",
      .kind = engine::Kind::identity,
      .tex =
          R"(\exp(x^\top y) = \sum_{t=0}^\infty \sum_{n_1+\dots+n_D=t} \prod_d \frac{x_d^{n_d}}{\sqrt{n_d!}}\,\frac{y_d^{n_d}}{\sqrt{n_d!}})",
      .assumptions = {"any real x, y; evaluated for |x_d|, |y_d| <= 1 with the tail of the series enclosed"},
      .expected = engine::Verdict::supported};
  sum_claim.check = every_dimension({});
  sum_claim.near_misses = {{"terms of degree 2 raised by 1 percent", 0.01, every_dimension({.degree_two = 1.01})},
                           {"factorials without the square root", 1, every_dimension({.without_root = true})}};
  return {count_claim, sum_claim};
}

}  // namespace attest::primal_dual
