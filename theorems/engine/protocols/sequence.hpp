// Limits and rates: a ratio along a geometric grid, enclosed in ball arithmetic and judged on its extrapolation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/engine/claim.hpp"

namespace attest::engine {

/// What is claimed of value(n) against reference(n) as n grows.
enum class Asymptotics {
  limit,       ///< value(n) -> reference(n) constant: the difference tends to 0 (reference is the limit)
  equivalent,  ///< value(n) / reference(n) -> 1
  same_order,  ///< value / reference stays between two positive constants: its growth exponent in n is 0
  at_most      ///< value = O(reference): the growth exponent of the ratio is <= 0
};

/// Enclosures of both sequences at grid places n.
struct SequenceProblem {
  Asymptotics claim = Asymptotics::equivalent;
  std::vector<double> n;  ///< geometric: n[k+1] / n[k] constant, at least 5 places
  std::function<rigor::Ball(double)> value;
  std::function<rigor::Ball(double)> reference;
  double resolution = 0.01;  ///< deviation of limit or exponent that counts as false
  Inputs inputs = {};        ///< fixed parameters, stored in a witness beside n
};

/// The check of a limit or rate.
///
/// Limits and equivalences are extrapolated by Aitken's formula (`statistics::aitken`); growth exponents are the local
/// slopes d log(ratio) / d log(n), extrapolated likewise. The interval is that formula's error estimate: a stated
/// heuristic, since no finite grid proves a limit. A refutation needs more: enclosures at the last places that
/// certainly stay away from the claim by more than half the extrapolated deviation.
Check sequence(SequenceProblem problem);

/// n_0, n_0 r, n_0 r^2, ..., `places` of them, rounded to whole numbers where r and n_0 are whole.
std::vector<double> geometric_grid(double first, double factor, int places);

}  // namespace attest::engine
