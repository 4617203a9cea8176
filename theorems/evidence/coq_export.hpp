// An exact verdict as text for a proof assistant: the statement in real scalars, and for Coq the tactics that prove it.
#pragma once

#include <string>
#include <vector>

#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/tree.hpp"
#include "theorems/referee/question/outcome.hpp"

namespace attest::evidence {

/// One file of theorems.
struct ProverFile {
  std::string text;
  int theorems = 0;
  std::vector<std::string> left_out = {};  ///< the choices that are not written out, and why
};

/// At most this many choices of sizes are written out, each a theorem.
inline constexpr std::size_t most_theorems = 12;

/// For Coq 8.16 with the Interval library: a certified `forall` as a theorem for each choice of its sizes, a refuted
/// one as `exists` at the witness; `exists` the other way round. Quotients and roots in identities are claimed where
/// they are defined. The proofs are tactics that coqc has yet to accept. Errors: NotWritten for a verdict that is not
/// exact and for statements without a counterpart in real scalars.
ProverFile coq_file(const language::Statement& statement, const referee::Outcome& outcome, const Heading& heading);

/// The same statements for Lean with Mathlib, without proofs, marked as not checked.
ProverFile lean_file(const language::Statement& statement, const referee::Outcome& outcome, const Heading& heading);

}  // namespace attest::evidence
