#include "theorems/twicing/capacity_checks.hpp"

#include <cmath>

#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/capacity_integrals.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

Check gain_of_twicing(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = geometric_grid(1, 10, 13);
  p.resolution = 1e-6;
  p.value = [](double n) { return capacity_of_twicing(Ball(n)) / capacity_of_identity(Ball(n)); };
  p.reference = [=](double n) { return Ball(factor) * rigor::sqrt(Ball::pi() * Ball(n)) / Ball(2); };
  return sequence(std::move(p));
}

Check slower_capacity(bool as_printed, double numerator, double denominator) {
  return scalar_inequality(
      {{"n"}, {1}, {1001}}, Relation::greater_equal,
      [=](const std::vector<double>& p) {
        int sign = 0;
        const double log_twicing =
            std::log(std::acos(-1.0)) / 2 - std::log(2.0) + lgamma_r(p[0] + 1, &sign) - lgamma_r(p[0] + 1.5, &sign);
        // kappa_n(2x - 2x^2) = 2^-n kappa_n(2x - x^2).
        return Sides{denominator * std::exp(log_twicing - (as_printed ? p[0] * std::log(2.0) : 0)),
                     numerator / (p[0] + 1)};
      },
      [=](const BallVector& p) {
        // int (2x (1 - x))^n = 2^n B(n + 1, n + 1).
        const Ball printed = rigor::pow(Ball(2), p[0]) * rigor::beta(p[0] + Ball(1), p[0] + Ball(1));
        return BallSides{Ball(denominator) * (as_printed ? printed : capacity_of_twicing(p[0])),
                         Ball(numerator) * capacity_of_identity(p[0])};
      });
}

}  // namespace attest::twicing
