// Identities by algebra: both sides as rational functions over the rationals, in every raw number at once.
#pragma once

#include <cstddef>
#include <string>

#include "theorems/language/program.hpp"

namespace attest::language {

enum class Algebra : std::uint8_t {
  holds,  ///< proven, wherever both sides are defined
  fails,  ///< proven that it does not hold everywhere: the sides are different rational functions of numbers that are
          ///< free within intervals, without roots, unknown functions or conditions
  open    ///< not decided by algebra; `why` says what stood in the way
};

struct AlgebraAnswer {
  Algebra answer = Algebra::open;
  std::string why = {};  ///< of an open answer: "exp(x) is not algebraic"
};

/// Raw numbers and unknown ones that the registers of the program come to at most, as `Algebraist` counts them.
std::size_t algebra_variables(const Program& program);

/// What the polynomials may grow to before the answer is open.
struct AlgebraLimits {
  std::size_t variables = 400;
  std::size_t terms = 20000;               ///< of one polynomial
  std::size_t term_products = 20'000'000;  ///< of all multiplications together
};

/// The formula at a program's sizes, for all values of its raw numbers within the sets they belong to. Equalities are
/// decided where both sides are made of + - * / and whole powers; square roots, absolute values, Euclidean norms, and
/// with them max(x, y), min(x, y) and relu, are known by their squares, softmax as e_i / sum e_j, and what else a function gives as a number of its own, of which
/// nothing is known: with it an identity may still be proven, but not disproven. An inequality is decided where the
/// sides differ by a constant. FLINT's multivariate polynomials over the rationals; conditions are not used.
AlgebraAnswer decide_by_algebra(const Program& program, const Formula& formula, const AlgebraLimits& limits = {});

}  // namespace attest::language
