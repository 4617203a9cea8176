// The evidence for one typed statement as a file that others check without Attest; format in evidence-format.md.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "theorems/engine/context.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/question/outcome.hpp"

namespace attest::evidence {

/// What names a statement where it came from; all may be empty but `id`.
struct Heading {
  std::string id;  ///< "paper/name" or "try/0123456789ab": letters, digits, '_', '-', '.'
  std::string paper = {}, label = {}, title = {};
  std::string part = {};           ///< of a claim with several, whose id ends with the part's number: ".2"
  std::string follows_since = {};  ///< of a statement that only follows from the claim: why it does
};

/// "try/" and the first 12 hexadecimal digits of the SHA-256 of the statement in normal form.
Heading typed_heading(const language::Statement& statement);

/// A document, or the reason why there is none.
struct Evidence {
  std::optional<nlohmann::json> document;
  std::string why_not;  ///< one sentence; empty where there is a document
};

/// At most this many boxes are written.
inline constexpr std::int64_t most_evidence_boxes = 20000;

/// Evidence for an exact verdict: a witness for what is refuted at a point or, of a limit, from some place on; a
/// certificate by `point`, `enumeration`, `boxes` or `algebra` for what is certified. Boxes are found anew, by plain
/// evaluation where that is enough: the checker is quicker without derivatives. Conditions that the referee reads as
/// sets stand in the document as these sets, and what exists in a range after `forall` as any(k in a..b: ...); a point
/// that meets equations by construction belongs to the statement that says so (`referee::with_equations_met`).
/// Errors: engine::Interrupted; language::Problem as `language::compile` throws it.
Evidence evidence_for(const language::Statement& statement, const referee::Outcome& outcome, const Heading& heading,
                      const engine::Context& context);

/// SHA-256 of the canonical JSON without the key "digest": keys sorted, no blanks, ASCII.
std::string digest_of(const nlohmann::json& document);

}  // namespace attest::evidence
