// Statements as a command line names them: typed, in a file, in an evidence file, or by the id of a claim of the
// ledger.
#pragma once

#include <string>
#include <vector>

#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/tree.hpp"

namespace attest::commands {

struct NamedStatement {
  evidence::Heading heading;
  language::Statement statement;
};

/// Each argument is text with a blank in it (one statement), a file (an evidence file, a paper as text, or one
/// statement), or the id of a claim that stands as text in the ledger (each of its parts). Ids, globs and labels of
/// claims of a paper's file among the arguments choose these of it. Errors: std::invalid_argument for anything else and
/// for what cannot be read, in one sentence with file, line and column.
std::vector<NamedStatement> statements_named(const std::vector<std::string>& arguments);

/// What a line about the statement begins with: the id of a claim or of an evidence file; of a statement that has no
/// name but a digest, the statement itself, cut to 60 columns.
std::string name_for_people(const NamedStatement& statement);

}  // namespace attest::commands
