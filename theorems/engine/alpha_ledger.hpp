// One ledger for the whole run: every stochastic decision pays from the same false-alarm budget.
#pragma once

#include <cstddef>

namespace attest::engine {

/// Splits the probability that a run calls any true statement refuted over the statements it judges.
///
/// By the union bound the whole run's false-alarm probability is at most `total`, whatever the dependence between
/// checks. Only the statements themselves pay: a near-miss is false, so refuting it is no false alarm; it is judged at
/// its statement's level. A check in ball arithmetic does not use its share, which is left unspent rather than moved,
/// so that a statement's level depends on the size of the suite and not on the selection or on other statements'
/// outcomes.
class AlphaLedger {
 public:
  /// `total` in (0, 1); `claims` is the number of statements in the suite, at least 1.
  /// Errors: std::invalid_argument.
  AlphaLedger(double total, std::size_t claims);

  /// Error level of one statement: total / claims.
  double share() const { return total_ / static_cast<double>(claims_); }
  /// Bound on the false-alarm probability of a run that judges `judged` of the statements.
  double bound(std::size_t judged) const { return share() * static_cast<double>(judged); }

 private:
  double total_;
  std::size_t claims_;
};

/// The suite's default false-alarm probability of one run.
inline constexpr double default_false_alarm_bound = 1e-6;

}  // namespace attest::engine
