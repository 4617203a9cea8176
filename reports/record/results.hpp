// The results of one run, as the reports read them: the typed form of `results.json`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/figures/figure.hpp"
#include "reports/files/malformed_results.hpp"
#include "reports/record/verdict.hpp"

namespace attest::reports {

/// Name and version of the results document that this program reads (`schema`).
inline constexpr std::string_view results_schema = "attest-results-1";

/// A closed interval; an end may be infinite.
struct Interval {
  double lower;
  double upper;
};

/// A named value of the document that has no field of its own here, already spelled for reading.
struct NamedText {
  std::string name;
  std::string text;
};

struct Part;

/// What a check found. A field that does not apply is empty; numbers that are not finite count as absent.
struct Evidence {
  std::string protocol;      ///< name of the protocol
  std::string reason;        ///< one sentence: why this verdict
  std::string would_change;  ///< one sentence: what would change it
  std::string statistic;     ///< what was averaged or compared
  std::string domain;        ///< where a certified claim was established
  std::string slack_at;      ///< where the least slack was found
  std::optional<double> samples, evaluations, admissible;
  std::optional<double> estimate, bound;
  std::optional<Interval> interval;
  std::optional<double> tightness;      ///< largest left side / right side seen: 1 means that the bound is attained
  std::optional<double> least_slack;    ///< smallest right side - left side seen, relative to the size of the terms
  std::optional<double> accuracy_bits;  ///< bits to which the two sides of an identity agree
  std::optional<double> smallest_discrepancy, false_pass_rate, alpha;
  std::optional<double> resolution;  ///< distance from the bound within which an interval passes without settling
  bool attained = false;             ///< the two sides were found equal in narrow balls: the bound is attained
  std::vector<double> grid, ratio;   ///< a sequence along a grid (`n`), as long as each other, or empty
  std::vector<NamedText> further;    ///< everything else in the evidence, in the document's order
  std::vector<Part> parts;
  std::vector<Figure> figures;
};

/// A part of a claim: judged on its own (one inequality of a chain), or one configuration of many without a verdict.
struct Part {
  std::string name;
  std::optional<Verdict> verdict;
  Evidence evidence;
};

/// A counterexample. Numbers are text, exactly as stored: hexadecimal floats for inputs, decimals for values.
struct Witness {
  std::string variant, part, kind, relation, left, right, margin, replay;
  std::optional<std::int64_t> precision_bits;
  std::vector<std::pair<std::string, std::vector<std::string>>> inputs;
  std::vector<std::pair<std::string, std::vector<std::string>>> values;  ///< derived ones; inputs are not repeated
  std::vector<std::string> drawn;                                        ///< random variables, which are not inputs
};

/// A planted near-miss, a statement slightly wrong on purpose, which the same check must refute; or a near-hit, a true
/// statement slightly weaker than a refuted one, which must stand. Without a verdict it was not judged in this run.
struct NearMiss {
  std::string name;
  std::optional<double> delta;  ///< size of the planted error, when it has one
  std::string delta_text;       ///< the same as it stands in the document
  std::optional<Verdict> verdict;
  std::string reason;
  std::vector<std::string> parts;  ///< of a statement with parts: those that the check spoke against
  bool caught = false;             ///< the check spoke against it: refuted, or a limit with its trend against it
};

/// One judged statement.
struct Claim {
  std::string id, paper, label, title, kind, family, note;
  std::string source;     ///< the file of its check, with the line where that is text; empty where not recorded
  std::string protocol;   ///< how the claim is judged: a sentence, or the protocol's name where the document has none
  std::string statement;  ///< TeX, without dollar signs
  std::vector<std::string> assumptions;
  bool printed = true;                ///< the paper's own wording, as opposed to our amendment
  std::optional<std::string> amends;  ///< the claim that this one corrects
  std::vector<std::string> depends_on;
  Verdict verdict = Verdict::error;
  Verdict expected = Verdict::error;
  std::string finding;          ///< of a printed statement that does not hold: "constant", "slip", ...; else empty
  std::string domain;           ///< what was searched, with its sizes and ranges
  std::vector<NamedText> owes;  ///< the rules of the engine that its check does not meet yet, with what breaks them
  std::optional<std::string> evidence_file;  ///< relative path
  std::string no_evidence;  ///< why an exact verdict has no such file; empty where it has, or is not exact
  Evidence evidence;
  std::optional<Witness> witness;
  std::vector<NearMiss> near_misses;
  std::vector<NearMiss> near_hits;
  double seconds = 0.0;
};

/// A table of a measurement; every row has as many cells as there are columns.
struct Table {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A picture and what it is of.
struct Picture {
  std::string name;
  std::string png;  ///< the bytes of the file
};

/// Pictures side by side.
struct Gallery {
  std::string caption;
  std::vector<Picture> pictures;
};

/// What was measured on one kind of real input.
struct Measurement {
  std::string id, title, text;
  std::vector<Table> tables;
  std::vector<Figure> figures;
  std::vector<Gallery> galleries = {};
};

/// The run as a whole.
struct Suite {
  std::string version, budget, device, started;
  std::string seed;  ///< as text: a 64-bit seed need not fit a double
  std::optional<std::int64_t> threads;
  std::optional<double> seconds, false_alarm_bound, trained_false_alarm_bound, alpha_per_claim;
  std::optional<double> effort;    ///< multiplier of all evaluations, 1 for quick
  bool near_misses_judged = true;  ///< false: only the statements themselves were judged
  bool interrupted = false;        ///< the run ended early; the document holds what was finished
};

/// A paper whose statements were judged.
struct Paper {
  std::string key;  ///< as in `Claim::paper`
  std::string title;
};

/// A whole results document.
struct Results {
  Suite suite;
  std::vector<Paper> papers = {};  ///< those of `claims`, in the order in which they are shown
  std::vector<Claim> claims = {};
  std::vector<Measurement> measurements = {};
};

/// The typed form of `document` ({schema, suite, claims, measurements?}; titles and order of papers in `suite.papers`);
/// `source` is what errors call it. Errors: MalformedResults for a missing or ill-typed field, an unknown verdict, a
/// repeated claim id or paper, an interval without two ends, a grid and ratios of different lengths, or a schema other
/// than `results_schema`. `amends` and `depends_on` may name claims that are not
/// in the document: a run may judge a few.
Results results_from_json(const nlohmann::ordered_json& document, std::string_view source);

/// The claim with that id, or nullptr.
const Claim* find_claim(const Results& results, std::string_view id);

/// The paper's title; its key where the document holds no title.
const std::string& paper_title(const Results& results, const std::string& key);

/// The claims that amend `claim`, in the document's order.
std::vector<const Claim*> amendments_of(const Results& results, const Claim& claim);

}  // namespace attest::reports
