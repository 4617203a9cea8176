// Points of a program: structured and random raw numbers for all variables together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/random/stream.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// The bounds within which local searches move, and which draws never leave: those of the raw numbers, and +-`largest`
/// where they have none. Open ends are moved inwards by a little.
struct Bounds {
  std::vector<double> lower, upper;
};
inline constexpr double largest_magnitude = 1e6;
Bounds bounds_of(const language::Program& program);

/// Point number `index` of the search: structures first, then draws over all structures and scales (log-uniform from
/// 1e-6 to 1e4, the scales near 1 more often), variables of one shape often near to each other, equal, opposite or
/// apart in one entry. Numbers of random variables are 0. A pure function of its arguments.
std::vector<double> draw_point(const language::Program& program, const Bounds& bounds, std::uint64_t index,
                               random::Stream& stream);

/// Pairs of related arrays that differ in one of a few entries at 1, against all others at -1 (or the nearest bounds):
/// a hub against its crowd, where a change of the few moves many. Other numbers are 1. Empty without such a pair.
std::vector<std::vector<double>> few_against_many(const language::Program& program, const Bounds& bounds);

/// Whether some number that is not random has a side without bound.
bool has_unbounded(const language::Program& program);

/// The same with one unbounded variable, or all of them, brought to a magnitude from 1e-60 to 1e120, from 1e4 to 1e20
/// half of the time; consecutive indices spread evenly over the decades. Precondition: has_unbounded.
std::vector<double> draw_far_point(const language::Program& program, const Bounds& bounds, std::uint64_t index,
                                   random::Stream& stream);

/// A variation of `point`: some variables or entries moved by 1e-6 to 1 of their size, or set equal to others.
std::vector<double> draw_near(const language::Program& program, const Bounds& bounds, std::span<const double> point,
                              random::Stream& stream);

}  // namespace attest::referee
