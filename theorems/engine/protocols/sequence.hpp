// Limits and rates: a ratio along a geometric grid, enclosed in ball arithmetic and judged on its extrapolation.
#pragma once

#include <functional>
#include <optional>
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

/// What makes a refutation hold beyond the grid.
struct Beyond {
  std::string why;  ///< the argument: "the ratio increases in n"
  /// For every place m >= n the sequence is at least this far from the claim; a ball that is certainly positive
  /// refutes.
  std::function<rigor::Ball(double)> deviation;
};

/// Enclosures of both sequences at grid places n.
struct SequenceProblem {
  Asymptotics claim = Asymptotics::equivalent;
  std::vector<double> n;  ///< geometric: n[k+1] / n[k] constant, at least 5 places
  std::function<rigor::Ball(double)> value;
  std::function<rigor::Ball(double)> reference;
  double resolution = 0.01;           ///< deviation of limit or exponent that counts as false
  Inputs inputs = {};                 ///< fixed parameters, stored in a witness beside n
  std::optional<Beyond> beyond = {};  ///< without it no finite grid refutes: the verdict is at most `undecided`
};

/// The check of a limit or rate.
///
/// Limits and equivalences are extrapolated by Aitken's formula (`statistics::aitken`); growth exponents are the local
/// slopes d log(ratio) / d log(n), extrapolated likewise. The interval is that formula's error estimate: a stated
/// heuristic, since no finite grid proves or refutes a limit. Where the interval leaves the claim the trend is against
/// it, and the verdict `undecided` says so; a refutation needs `beyond`.
Check sequence(SequenceProblem problem);

/// n_0, n_0 r, n_0 r^2, ..., `places` of them, rounded to whole numbers where r and n_0 are whole.
std::vector<double> geometric_grid(double first, double factor, int places);

}  // namespace attest::engine
