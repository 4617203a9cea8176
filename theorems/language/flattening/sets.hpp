// The sets of the language: how an element is made from raw numbers, so that every choice of them is admissible.
//
//   set                 raw numbers                      element
//   R, R^n, R^(m, n)    the entries                      the raw numbers
//   [a, b]              the entries, in [a, b]           the raw numbers, where a and b are known
//                       u in [0, 1]                      a + (b - a) u, where an end depends on other variables
//   [a, inf)            u >= 0                           a + u, likewise; (-inf, b] with b - u
//   {a, b, c}^n         positions 0, 1, 2                the elements at these positions
//   simplex(n)          weights w in [0, 1]              w / sum w
//   stochastic(m, n)    m rows of such weights           each row divided by its sum
//   sphere(n)           u in [-1, 1]^n                   u / |u|
//   ball(n, R)          u in [-1, 1]^n                   R u / max(1, |u|)
//   symmetric(n)        upper triangle, row by row       the matrix
//   psd(n)              B in R^(n, n)                    B B'
//   orthogonal(n)       v_1 in R^n, ..., v_n in R^1      H_1 ... H_(n-1) diag(1, ..., 1, sign v_n), with the
//   Householder
//                                                        reflection H_k = 1 - 2 v v' / v'v of v_k in the last n - k + 1
//                                                        coordinates: every orthogonal matrix is such a product
//   attention(n, d)     queries, then keys, in R^(n, d)  softmax(q k' / sqrt(d)) row by row
//
// Weights that are all 0, a vector 0 of a sphere and v_k = 0 make no element: its entries are NaN.
#pragma once

#include <span>

#include "kernels/random/stream.hpp"
#include "theorems/language/flattening/compiler.hpp"

namespace attest::language {

/// The element of a binder's set or law; fills the raw shape, the bounds and the law's registers of `input`, whose
/// offset is known. Errors: `Problem` for an empty set or an extent that is not a whole number >= 1.
Value make_element(Compiler& compiler, const Binder& binder, RawInput& input);

/// Moves every raw number to the nearest one that its bounds allow: open ends exclude themselves, positions are whole,
/// NaN becomes a number within the bounds.
void project(const Program& program, std::span<double> raw);

/// Raw numbers at random: entries without bounds at all scales, from 1e-3 to 1e3, one scale for each variable; weights
/// uniform or spread over many scales; positions uniform. The draws of random variables are left alone.
void draw(const Program& program, random::Stream& stream, std::span<double> raw);

}  // namespace attest::language
