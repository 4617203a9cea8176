// The six verdicts of the house, and what kind of fault a printed statement has.
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

/// What is wrong with a printed statement that does not hold, read in its most charitable precise sense.
enum class Finding {
  none,         ///< it stands, or it is not the paper's own wording
  error,        ///< false under every sensible reading
  constant,     ///< true in kind, with another constant, exponent or sign
  assumption,   ///< holds under an assumption that the text does not state
  slip,         ///< a misprint, a wrong index or damage of the extraction; the context has it right
  imprecise,    ///< no precise claim: judged under the stated reading
  unsupported,  ///< the conclusion does not follow from what is given; it is not shown false
};

/// Lower-case name, as in results.json, where `none` is null.
std::string_view name(Finding finding);

/// A verdict with the sentence that explains it and the sentence that says what would change it.
struct Judgement {
  Verdict verdict = Verdict::error;
  std::string reason;
  std::string would_change;
};

}  // namespace attest::engine
