// Verdicts on paired differences that hold whenever one looks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "kernels/statistics/interval.hpp"

namespace attest::statistics {

/// What paired differences a_s - b_s say.
enum class Call {
  above,          ///< the effect is above 0
  below,          ///< it is below 0
  no_difference,  ///< it is smaller in size than what matters, whatever its sign
  undecided,
};

/// When a call is made.
struct PairedRule {
  double alpha = 0.01;  ///< probability of ever making a false call on these differences
  double smallest =
      0;  ///< size of the smallest effect that matters; 0 declares none, and no_difference is never called
};

/// A call and what it rests on.
struct PairedFinding {
  Call call = Call::undecided;
  double mean = 0, deviation = 0;  ///< of the differences
  Interval interval;               ///< signed_rank_interval at alpha
  double e_value = 1;          ///< the larger capital that either bet against 0 ever had, times 1/2; a call at 1/alpha
  std::size_t decided_at = 0;  ///< pairs after which the call could first be made; 0 while undecided
  /// Pairs after which a call would be made if further differences were those seen over and over again; none where
  /// that is beyond `most_projected` of them, or nothing is left to decide.
  std::optional<std::size_t> would_decide = std::nullopt;
};

/// How far a projection from that many pairs looks ahead: a thousand pairs, and at least twice as many as there are.
constexpr std::size_t most_projected(std::size_t pairs) { return pairs > 500 ? 2 * pairs : 1000; }

/// Judges differences in the order in which they came. P(ever calling falsely) <= alpha, however often one looks and
/// whenever one stops, if the differences are independent and each is symmetric about the effect. Under the null of
/// equal variants that is exact where the two runs of a pair are exchangeable: swapping them changes no law, whatever
/// law the runs have. The interval for an effect other than 0 rests on the symmetry itself.
/// No difference is called first: where the interval lies within [-smallest, smallest] a sign does not matter.
/// Errors: std::invalid_argument for alpha outside (0, 1), a smallest below 0 or not finite, or a difference that is
/// not finite.
PairedFinding judge_pairs(std::span<const double> differences, const PairedRule& rule);

/// The effect, in standard deviations of a normal difference, of which `pairs` differences are called above with
/// probability `power`: the quantile over 400 simulated comparisons with fixed seeds, good to a few percent. Infinite
/// for fewer than least_observations(alpha). Errors: std::invalid_argument for alpha or power outside (0, 1).
double detectable_effect(std::size_t pairs, double alpha, double power);

}  // namespace attest::statistics
