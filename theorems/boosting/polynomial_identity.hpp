// Identities between polynomials, certified for all real numbers: a polynomial of degree at most D in each of k
// variables that vanishes at the (D + 1)^k points {0, ..., D}^k is 0.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "theorems/engine/protocols/certification.hpp"

namespace attest::boosting {

/// Certifies that two polynomials are equal everywhere. `sides(inputs)` evaluates both in balls at whole numbers, where
/// they are exact; each has degree at most `degree` in every one of `variables`, for which the caller answers.
/// `reach` says in words what follows beyond the variables ("vectors of any dimension, coordinate by coordinate").
template <class F>
engine::Check polynomial_identity(std::vector<std::string> variables, int degree, const std::string& reach, F sides) {
  engine::EnumerationProblem p;
  p.domain = "all real numbers, by the grid of values 0 to " + std::to_string(degree) +
             " of every variable, which no other polynomial of that degree passes; " + reach;
  p.cases = 1;
  for (std::size_t k = 0; k < variables.size(); ++k) p.cases *= degree + 1;
  p.relation = engine::Relation::equal;
  p.case_inputs = [variables, degree](std::int64_t number) {
    engine::Inputs in;
    for (const std::string& name : variables) {
      in.add(name, {static_cast<double>(number % (degree + 1))});
      number /= degree + 1;
    }
    return in;
  };
  p.ball_sides = [sides = std::move(sides)](const engine::Inputs& in) -> engine::BallSides { return sides(in); };
  return engine::enumerate(std::move(p));
}

}  // namespace attest::boosting
