// What a Taylor expansion of a mean over one random number needs of the number's law.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/referee/proof/power_series.hpp"

namespace attest::referee {

/// The draw that the standard variable z + t stands for, as a series in t. Precondition: `has_standard(name)`.
BallSeries series_of_standard(const std::string& name, std::span<const rigor::Ball> arguments, const rigor::Ball& z);

/// E[(z - c)^k; a <= z <= b] for k = 0, ..., count - 1, with z the standard variable of the law and c the middle of
/// the interval. Precondition: `has_standard(name)`, a < b, and 0 not between them for a law with a kink there.
std::vector<rigor::Ball> standard_moments(const std::string& name, double a, double b, int count);

/// E[f(z); cell] enclosed by Taylor's theorem, where that is narrower than `known`: f(z) = c_0 + ... + c_(m-1) (z -
/// c)^(m-1) + r (z - c)^m with r among the values of the m-th coefficient in the cell, for every m that has a moment.
/// The coefficients of f over the whole cell, at its middle c, and E[(z - c)^k; cell]; |z - c| <= half_width in it.
rigor::Ball by_expansion(const BallSeries& everywhere, const BallSeries& middle,
                         const std::vector<rigor::Ball>& moments, const rigor::Ball& half_width, rigor::Ball known);

}  // namespace attest::referee
