// A statement of the language as a check of the engine: the referee judges it, the engine records and replays.
#pragma once

#include <memory>
#include <string>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/deferred.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/tree.hpp"

namespace attest::ledger {

/// A check of the ledger has this share of the effort that `attest try` spends at the same budget: hundreds of
/// statements share a run.
inline constexpr double share_of_effort = 1.0 / 16;

/// A statement, or the text that is read when somebody asks for it.
using SharedStatement = engine::Deferred<std::shared_ptr<const language::Statement>>;

SharedStatement shared_statement(language::Statement statement);
/// Errors at the first use: language::Problem.
SharedStatement statement_of_text(std::string text);

/// The check of that statement; `heading` names it in its evidence file. Its evidence is a `StatementEvidence`, its
/// witness holds the choices of sizes under their names and the raw numbers of every variable under its name
/// ("raw NAME" where they are not the element itself, which then stands under NAME for reading).
/// Errors of the check: language::Problem where the statement cannot be meant at the sizes tried.
engine::Check typed_check(const SharedStatement& statement, const engine::Deferred<evidence::Heading>& heading);

/// The same under the heading that the statement gives itself.
engine::Check typed_check(const SharedStatement& statement);

/// A choice of a size or order as a witness stores it: finite numbers only, so that inf becomes the largest of them.
double stored_choice(double choice);

/// The kind that the statement's form says: a limit, an order, an existence, an expectation bound, an identity where
/// every relation is an equality, else a universal inequality.
engine::Kind kind_of(const language::Statement& statement);

}  // namespace attest::ledger
