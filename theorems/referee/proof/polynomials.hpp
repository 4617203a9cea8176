// What proofs by signs do to polynomials: their terms, a variable replaced, their factors.
#pragma once

#include <cstddef>
#include <vector>

#include "theorems/language/algebra/fraction.hpp"

namespace attest::referee {

/// The power of each variable of the ring in that term.
std::vector<ulong> powers_of(const language::Polynomial& p, std::size_t term);

std::size_t degree_in(const language::Polynomial& p, std::size_t variable);

/// The coefficient of variable^power, a polynomial in the others.
language::Polynomial coefficient_of(const language::Polynomial& p, std::size_t variable, ulong power);

/// With another polynomial in the place of the variable. Errors: language::TooLarge.
language::Polynomial substituted(const language::Polynomial& p, std::size_t variable,
                                 const language::Polynomial& other);

struct Factor {
  language::Polynomial polynomial;
  bool even;  ///< its power is
};

/// Irreducible factors where the polynomial has few terms, else itself; `constant` is multiplied by the sign of the
/// constant among them.
std::vector<Factor> factors_of(const language::Polynomial& p, int& constant);

}  // namespace attest::referee
