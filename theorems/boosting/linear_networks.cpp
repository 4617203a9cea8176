#include "theorems/boosting/linear_networks.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

constexpr std::size_t most_layers = 12;
constexpr double largest_constant = 4;
/// The depth is floor(x_0), so that every depth has an interval of the search's box.
constexpr double depth_end = most_layers + 0.99;

bool assumptions_hold(const Inputs& in, double largest_t) {
  const auto layers = in["L"];
  return !layers.empty() && in.scalar("t") >= 0 && in.scalar("t") <= largest_t &&
         std::all_of(layers.begin(), layers.end(), [](double constant) { return constant >= 0; });
}

/// c_n with Y_n - Y'_n = c_n (Y_0 - Y'_0), as real and imaginary part.
std::pair<Ball, Ball> sensitivity(std::span<const double> constants, std::span<const double> angles, const Ball& t) {
  Ball real(1);
  Ball imaginary(0);
  for (std::size_t l = 0; l < constants.size(); ++l) {
    const Ball along = constants[l] * rigor::cos(Ball(angles[l])) + (1 - t);
    const Ball across = constants[l] * rigor::sin(Ball(angles[l]));
    const Ball next = along * real - across * imaginary + t;
    imaginary = along * imaginary + across * real;
    real = next;
  }
  return {real, imaginary};
}

}  // namespace

Check every_linear_network(LipschitzRecurrence recurrence, double largest_t) {
  InequalityProblem p;
  p.relation = Relation::less_equal;
  p.lower.assign(2 + 2 * most_layers, 0);  // depth, t, L_0, ..., L_11, theta_0, ..., theta_11
  p.lower[0] = 1;
  p.upper = {depth_end, largest_t};
  p.upper.resize(2 + most_layers, largest_constant);
  p.upper.resize(2 + 2 * most_layers, 2 * std::numbers::pi);
  p.decode = [](std::span<const double> x) {
    const auto n = static_cast<std::size_t>(x[0]);
    const auto first = [&](std::size_t from) { return std::vector<double>(&x[from], &x[from] + n); };
    return Inputs{{"t", {x[1]}}, {"L", first(2)}, {"theta", first(2 + most_layers)}};
  };
  p.sides = [recurrence](const Inputs& in) -> Sides {
    const double t = in.scalar("t");
    std::complex<double> c = 1;
    for (std::size_t l = 0; l < in["L"].size(); ++l) c = (std::polar(in["L"][l], in["theta"][l]) + (1 - t)) * c + t;
    return {std::abs(c), recurrence.unrolled(in["L"], t)};
  };
  p.ball_sides = [recurrence, largest_t](const Inputs& in) -> BallSides {
    if (!assumptions_hold(in, largest_t) || in["theta"].size() != in["L"].size()) return {Ball(0), Ball(0), false};
    const Ball t(in.scalar("t"));
    const auto [real, imaginary] = sensitivity(in["L"], in["theta"], t);
    return {rigor::sqrt(rigor::square(real) + rigor::square(imaginary)), recurrence.step_by_step(in["L"], t)};
  };
  // Two layers, the second one zero: where t beyond 1 turns 1 - t against the bound.
  std::vector<double> alone(p.lower);
  alone[0] = 2;
  alone[1] = largest_t;
  alone[2] = largest_constant;
  alone[2 + most_layers] = std::numbers::pi;
  p.corners = {alone};
  p.evaluations = 5000;
  return inequality(std::move(p));
}

Check attained_by_scaling(LipschitzRecurrence recurrence, double largest_t) {
  IdentityProblem p;
  p.lower = {1, 0, -2, -2};  // depth, t, Y_0, Y'_0, L_0, ..., L_11
  p.upper = {depth_end, largest_t, 2, 2};
  p.lower.resize(4 + most_layers, 0);
  p.upper.resize(4 + most_layers, largest_constant);
  p.decode = [](std::span<const double> x) {
    const auto n = static_cast<std::size_t>(x[0]);
    return Inputs{{"t", {x[1]}}, {"Y_0", {x[2]}}, {"Y'_0", {x[3]}}, {"L", {&x[4], &x[4] + n}}};
  };
  p.sides = [recurrence](const Inputs& in) -> IdentitySides {
    const double t = in.scalar("t");
    const auto run = [&](double input) {
      double y = input;
      for (const double constant : in["L"]) y = constant * y + (t * input + (1 - t) * y);
      return y;
    };
    const double one = run(in.scalar("Y_0"));
    const double other = run(in.scalar("Y'_0"));
    return {{std::abs(one - other)},
            {recurrence.unrolled(in["L"], t) * std::abs(in.scalar("Y_0") - in.scalar("Y'_0"))},
            std::abs(one) + std::abs(other)};
  };
  p.ball_sides = [recurrence, largest_t](const Inputs& in) -> IdentityBallSides {
    const Ball t(in.scalar("t"));
    const Ball input(in.scalar("Y_0"));
    const Ball other_input(in.scalar("Y'_0"));
    Ball y = input;
    Ball other = other_input;
    for (const double constant : in["L"]) {
      y = constant * y + t * input + (1 - t) * y;
      other = constant * other + t * other_input + (1 - t) * other;
    }
    return {{rigor::abs(y - other)},
            {recurrence.step_by_step(in["L"], t) * rigor::abs(input - other_input)},
            assumptions_hold(in, largest_t)};
  };
  // Five roundings a layer in each run, whose terms have one sign, five a layer in K_n, and three at the end.
  p.rounding_bound = (10 * most_layers + 3) * 0x1p-53;
  return identity(std::move(p));
}

}  // namespace attest::boosting
