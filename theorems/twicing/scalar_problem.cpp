#include "theorems/twicing/scalar_problem.hpp"

#include <cmath>

namespace attest::twicing {
namespace {

using namespace engine;

Decode decode_scalars(std::vector<std::string> names) {
  return [names = std::move(names)](std::span<const double> x) {
    Inputs inputs;
    for (std::size_t i = 0; i < names.size(); ++i) inputs.add(names[i], {names[i] == "n" ? std::floor(x[i]) : x[i]});
    return inputs;
  };
}

std::vector<double> values(const Inputs& inputs, const std::vector<std::string>& names) {
  std::vector<double> x;
  for (const std::string& name : names) x.push_back(inputs.scalar(name));
  return x;
}

}  // namespace

Check scalar_inequality(Coordinates coordinates, Relation relation, RealSides sides, EnclosedSides ball_sides,
                        std::vector<std::vector<double>> corners, double evaluations) {
  InequalityProblem p;
  p.relation = relation;
  p.lower = coordinates.lower;
  p.upper = coordinates.upper;
  p.corners = std::move(corners);
  p.evaluations = evaluations;
  p.decode = decode_scalars(coordinates.names);
  p.sides = [=](const Inputs& in) { return sides(values(in, coordinates.names)); };
  p.ball_sides = [=](const Inputs& in) {
    const std::vector<double> x = values(in, coordinates.names);
    BallSides found = ball_sides(rigor::to_balls(x));
    found.assumptions_hold = found.assumptions_hold && in_box(x, coordinates.lower, coordinates.upper);
    return found;
  };
  return inequality(std::move(p));
}

Check scalar_identity(Coordinates coordinates, RealSides sides, std::function<double(const std::vector<double>&)> scale,
                      EnclosedSides ball_sides, double rounding_bound) {
  IdentityProblem p;
  p.lower = coordinates.lower;
  p.upper = coordinates.upper;
  p.decode = decode_scalars(coordinates.names);
  p.sides = [=](const Inputs& in) {
    const std::vector<double> x = values(in, coordinates.names);
    const Sides found = sides(x);
    return IdentitySides{{found.lhs}, {found.rhs}, scale(x)};
  };
  p.ball_sides = [=](const Inputs& in) {
    const std::vector<double> x = values(in, coordinates.names);
    const BallSides found = ball_sides(rigor::to_balls(x));
    return IdentityBallSides{
        {found.lhs}, {found.rhs}, found.assumptions_hold && in_box(x, coordinates.lower, coordinates.upper)};
  };
  p.rounding_bound = rounding_bound;
  return identity(std::move(p));
}

}  // namespace attest::twicing
