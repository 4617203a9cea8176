// The six verdicts of the house.
#pragma once

#include <string>
#include <string_view>

namespace attest::engine {

/// What the evidence says of a statement. Only `certified` and `supported` speak for it.
enum class Verdict {
  certified,  ///< established on a stated domain by exact or ball arithmetic or exhaustive enumeration
  supported,  ///< tested hard and not contradicted; the evidence says how hard
  refuted,    ///< a witness contradicts it
  undecided,  ///< the budget ended first
  vacuous,    ///< the assumptions were never met, so nothing was tested
  error       ///< the check itself failed
};

/// Lower-case name, as in results.json.
std::string_view name(Verdict verdict);

/// Inverse of `name`. Errors: std::invalid_argument naming the unknown word.
Verdict verdict_from_name(std::string_view word);

/// A verdict with the sentence that explains it and the sentence that says what would change it.
struct Judgement {
  Verdict verdict = Verdict::error;
  std::string reason;
  std::string would_change;
};

}  // namespace attest::engine
