// What a check returns. Evidence holds measurements only; the verdict is made from them in `verdict_rule.hpp`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "theorems/engine/verdict.hpp"
#include "theorems/engine/witness.hpp"

namespace attest::engine {

/// A closed interval of reals.
struct Interval {
  double lower = 0;
  double upper = 0;
};

/// A curve or point set for the report: drawn, never judged.
struct Series {
  std::string name;
  std::vector<double> x, y;
  std::vector<double> lower = {}, upper = {};  ///< interval ends, empty for none
};

struct Figure {
  std::string name;  ///< file stem, unique in the suite: letters, digits, '_' and '-'
  std::string title;
  std::string x_label, y_label;
  bool x_log = false, y_log = false;
  std::vector<Series> series;
  std::string caption = {};
};

/// What the values of the two sides, over all admissible points in double precision, say about the check itself.
struct SelfTest {
  bool sides_identical = false;      ///< the two sides were the same doubles at every point
  bool sides_constant = false;       ///< neither side ever changed with the inputs
  bool slack_constant = false;       ///< the searched slack never changed: there was nothing to follow
  std::string exact_rewriting = {};  ///< why identical sides are a test nevertheless; empty for no reason
};

/// Identity protocol: both sides at random, structured and adversarial points, in double and in ball arithmetic.
struct IdentityEvidence {
  std::int64_t evaluations = 0;  ///< points evaluated in double precision
  std::int64_t admissible = 0;   ///< of these, points at which the assumptions held
  double largest_residual = 0;   ///< max |lhs - rhs| / scale over them, in double precision
  double rounding_bound = 0;     ///< what rounding can explain, derived by the check
  std::int64_t ball_points = 0;  ///< points evaluated in ball arithmetic with the assumptions certain
  int accuracy_bits = 0;         ///< least agreement of the two sides over those points at which they agree, in bits
  SelfTest self_test = {};
  std::optional<Witness> witness;  ///< a point at which the two sides certainly differ
};

/// Bits to which two sides must agree for a bound to be called attained.
inline constexpr int attained_bits = 500;

/// Inequality protocol: adversarial search for a violation, confirmed in ball arithmetic.
struct InequalityEvidence {
  std::int64_t evaluations = 0;
  std::int64_t admissible = 0;
  double least_slack = 0;           ///< least (rhs - lhs) / scale, in doubles, signed so that >= 0 is agreement
  Inputs slack_at;                  ///< where
  double ball_slack = 0;            ///< the same there in ball arithmetic, where doubles cannot tell it from 0
  bool tie_at_least_slack = false;  ///< narrow balls of the two sides overlap there: equality to `attained_bits`
  SelfTest self_test = {};
  std::int64_t starts = 0;  ///< local optimisations
  double slack_by_corners = 0, slack_by_random = 0, slack_by_local = 0;
  std::optional<Witness> witness;
};

/// Certification protocol: interval branch and bound over a box, exact rational arithmetic or full enumeration.
struct CertificationEvidence {
  std::string domain;             ///< in words and numbers
  std::int64_t boxes = 0;         ///< boxes or cases settled
  double undecided_fraction = 0;  ///< of the domain's volume or cases
  std::optional<Witness> witness;
};

/// Existence protocol: a point with the claimed property, certain in ball arithmetic.
struct ExistenceEvidence {
  std::int64_t evaluations = 0;
  std::int64_t admissible = 0;
  std::optional<Witness> witness;        ///< establishes the claim
  std::optional<std::string> exhausted;  ///< the domain, when a complete enumeration found none
};

/// One configuration of an expectation claim.
struct ExpectationPart {
  std::string name;
  std::int64_t samples = 0;
  double estimate = 0;
  Interval interval;  ///< confidence sequence at `alpha`, valid at every stopping time
  Relation relation = Relation::less_equal;
  double bound = 0;
  double resolution = 0;            ///< discrepancy it is meant to settle, in the bound's units
  double smallest_discrepancy = 0;  ///< it would have caught, at the false-pass rate and the most samples allowed
  double alpha = 0;
};

/// Expectation protocol: Monte Carlo under a confidence sequence, stopped as soon as it is decided.
struct ExpectationEvidence {
  std::vector<ExpectationPart> parts;
  double false_pass_rate = 0;  ///< chance of passing a claim that is wrong by the resolution or more
  std::optional<Witness> witness;
};

/// Sequence protocol: a ratio along a geometric grid, judged on its extrapolation.
struct SequenceEvidence {
  std::vector<double> n;
  std::vector<double> ratio;  ///< value / reference, or the value itself for a limit
  std::string quantity;       ///< "limit" or "growth exponent"
  double estimate = 0;        ///< extrapolated
  Interval interval;          ///< of the extrapolation
  double widest = 0;          ///< radius of the widest of the last three enclosures, part of the interval
  double claimed = 0;
  double resolution = 0;           ///< deviation from `claimed` beyond which the claim counts as false
  bool at_most = false;            ///< the claim is one-sided: the quantity is at most `claimed`
  std::string beyond = {};         ///< why the deviation at the last place holds beyond the grid; empty: it need not
  std::optional<Witness> witness;  ///< a place on the grid beyond which the sequence certainly stays off the claim
};

/// Awaiting protocol: nothing was evaluated; a comparison outside the suite decides.
struct AwaitingEvidence {
  std::string comparison;  ///< what would decide the statement
  std::string reason;      ///< why no check here does
};

/// A statement that a check made from its own by a small change and judged by itself.
struct JudgedChange {
  std::string name;       ///< "constant 1/2 made 1 % smaller"
  std::string statement;  ///< in normal form
  double delta = 0;       ///< relative size; 1 where nothing has a size
  bool near_hit = false;  ///< weaker than a claim that falls, and it stands; else it fell
};

/// A verdict's evidence as a file for checkers in other code, or why there is none.
struct EvidenceDocument {
  std::string text;          ///< JSON; empty for none
  bool certificate = false;  ///< of a certified statement; else the witness of a refuted one
  std::string why_not;       ///< one sentence; empty where there is a text
};

/// Statement protocol: a statement of the language, judged whole by the referee (theorems/referee).
struct StatementEvidence {
  Judgement judgement;                     ///< the referee's
  std::string question;                    ///< "universal", "existential", ...
  std::string method;                      ///< "exact algebra", "adversarial search", ...
  std::string domain;                      ///< what was searched
  std::int64_t evaluations = 0;            ///< points in double precision
  std::optional<double> least_slack;       ///< relative, of a statement that stands
  Inputs slack_at;                         ///< where
  std::vector<JudgedChange> changes = {};  ///< near-misses that fell; for a refuted statement the repair that stands
  std::size_t changes_left_standing = 0;   ///< near-misses that did not fall: the bound is loose there
  std::vector<std::string> remarks = {};
  std::vector<std::pair<std::string, double>> constants = {};  ///< of `best C`: what was found
  std::optional<Witness> witness;
  /// Empty where the verdict is not exact.
  std::function<EvidenceDocument(const std::atomic<bool>* interrupted)> document = {};
};

struct Evidence;

/// A statement with several parts is true when all are.
struct CompositeEvidence {
  struct Part {
    std::string name;
    std::shared_ptr<const Evidence> evidence;
    Judgement judgement;
  };
  std::vector<Part> parts;
};

struct Evidence {
  std::variant<std::monostate, IdentityEvidence, InequalityEvidence, CertificationEvidence, ExistenceEvidence,
               ExpectationEvidence, SequenceEvidence, CompositeEvidence, AwaitingEvidence, StatementEvidence>
      body;
  std::vector<Figure> figures = {};
  std::vector<std::pair<std::string, double>> measured = {};  ///< further numbers for the reader, not judged
};

/// The least slack as it may be printed: of a statement that stands never negative, for doubles are off there by
/// rounding and ball arithmetic says by how much the slack is 0; exactly 0 where the bound is attained.
double stated_slack(const InequalityEvidence& evidence);

/// Whether the extrapolated interval of a sequence leaves the claim. No finite grid refutes a limit by that.
bool against_trend(const SequenceEvidence& evidence);

/// The witness inside, whatever the protocol; of a composite the first one.
std::optional<Witness> witness_of(const Evidence& evidence);

}  // namespace attest::engine
