// One ledger for the whole run: every stochastic decision pays from the same false-alarm bound.
#pragma once

#include <cstddef>

namespace attest::engine {

/// Splits the probability that a run calls any true statement refuted over all that it judges: the statements, their
/// near-misses and their near-hits.
///
/// By the union bound the whole run's false-alarm probability is at most `total`, whatever the dependence between
/// checks. Near-misses pay, too: each is a decision made of random numbers, and whether it is as false as its author
/// believes is what it is judged for. A check in ball arithmetic does not use its share, which is left unspent rather
/// than moved, so that a statement's level depends on the size of the suite and not on the selection or on other
/// outcomes.
class AlphaLedger {
 public:
  /// `total` in (0, 1); `shares` is the number of checks in the suite (`ledger_shares`), at least 1.
  /// Errors: std::invalid_argument.
  AlphaLedger(double total, std::size_t shares);

  /// Error level of one check: total / shares.
  double share() const { return total_ / static_cast<double>(shares_); }
  /// Bound on the false-alarm probability of a run that makes `judged` of the checks.
  double bound(std::size_t judged) const { return share() * static_cast<double>(judged); }

 private:
  double total_;
  std::size_t shares_;
};

/// The suite's default false-alarm probability of one run.
inline constexpr double default_false_alarm_bound = 1e-6;

}  // namespace attest::engine
