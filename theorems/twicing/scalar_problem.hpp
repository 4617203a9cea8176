// Inequalities and identities in a few real numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::twicing {

/// Named coordinates of a box; one called "n" is rounded down to a whole number.
struct Coordinates {
  std::vector<std::string> names;
  std::vector<double> lower, upper;
};

using RealSides = std::function<engine::Sides(const std::vector<double>&)>;
using EnclosedSides = std::function<engine::BallSides(const rigor::BallVector&)>;

/// `lhs relation rhs` on the box, both evaluations taking the coordinates in order.
engine::Check scalar_inequality(Coordinates coordinates, engine::Relation relation, RealSides sides,
                                EnclosedSides ball_sides, std::vector<std::vector<double>> corners = {},
                                double evaluations = 5000);

/// `lhs = rhs` on the box; `scale` is the size of the terms of both sides.
engine::Check scalar_identity(Coordinates coordinates, RealSides sides,
                              std::function<double(const std::vector<double>&)> scale, EnclosedSides ball_sides,
                              double rounding_bound);

}  // namespace attest::twicing
