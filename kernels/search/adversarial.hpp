// Adversarial search: the least value of a slack over a box, by a portfolio of methods.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attest::search {

/// What is minimised: `slack(x)` over the box lower <= x <= upper. A claim `lhs <= rhs` has slack rhs - lhs, so that a
/// negative value is a violation. NaN means that x does not meet the claim's assumptions (inadmissible). Called from
/// several threads at once, so it must not write to shared state, and it must be a pure function of x.
struct Problem {
  std::vector<double> lower;                             ///< finite, one entry per coordinate
  std::vector<double> upper;                             ///< finite, not below `lower`
  std::function<double(std::span<const double>)> slack;  ///< required
  std::vector<std::vector<double>> corners = {};         ///< structured points of the caller's; clamped to the box
  std::function<void(std::span<const double>, std::span<double>)> gradient = {};  ///< d slack / dx, optional
};

/// How hard to search. The outcome is a pure function of the problem, `seed`, `key`, `evaluations` and `starts`; the
/// number of threads changes nothing.
struct Options {
  std::uint64_t seed = 0;            ///< first key of the random streams
  std::uint32_t key = 0;             ///< of the random streams
  std::int64_t evaluations = 20000;  ///< cap on the calls of `slack`, all phases together; at least 1
  unsigned threads = 1;              ///< 0 means one per core
  int starts = 8;  ///< local optimisations of the first round, at least 0; fewer where 20 evaluations per coordinate
                   ///< are not left for each
};

/// What one phase of the portfolio found.
struct Phase {
  double least_slack;               ///< NaN if the phase met no admissible point
  std::int64_t evaluations = 0;     ///< calls of `slack`
  std::int64_t admissible = 0;      ///< those that did not return NaN
  std::vector<double> argmin = {};  ///< where; empty if no point was admissible
};

/// The best of all phases, and each phase alone: how much the later phases improved says how hard the problem was.
struct Result {
  double least_slack;            ///< NaN if no point was admissible; +infinity only if every admissible point had it
  std::vector<double> argmin;    ///< empty if no point was admissible
  std::int64_t evaluations = 0;  ///< calls of `slack`, never above the cap
  std::int64_t admissible = 0;   ///< those that did not return NaN
  Phase corners;                 ///< the caller's and the generic corners, see generic_corners
  Phase random;                  ///< draws from the families of random_point, see distributions.hpp
  Phase local;                   ///< NLopt from the best points of the two phases before
  int starts = 0;                ///< local optimisations that were run
};

/// Minimises the slack: (a) corners, at most a quarter of the evaluations; (b) random draws, half of what is left, the
/// second half of them near the best points so far; (c) local optimisations from the `starts` best points with half of
/// the rest, then from the best quarter of the points they reached with what is left. Each of them runs a chain of
/// NLopt's methods (Subplex, BOBYQA and COBYLA up to 64 coordinates, L-BFGS and MMA first where a gradient is given),
/// each continuing from the best point of the one before. Errors: std::invalid_argument for an empty, unordered or
/// unbounded box, a corner of the wrong length, or options out of range; whatever `slack` throws.
Result minimise(const Problem& problem, const Options& options);

/// Structured points of the box [lower, upper], at most `limit`: its middle, its ends, the point nearest to the origin,
/// constant vectors, alternating and half-and-half vectors, ramps, one coordinate against all others, and all 2^d
/// corners when they fit.
std::vector<std::vector<double>> generic_corners(std::span<const double> lower, std::span<const double> upper,
                                                 std::int64_t limit);

}  // namespace attest::search
