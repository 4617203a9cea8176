// The random variables of a statement: a stored witness fixes every other variable, and these are drawn.
#pragma once

#include <set>
#include <string>

#include "theorems/language/tree.hpp"

namespace attest::commands {

/// The names that the statement binds by `random`.
std::set<std::string> drawn_variables(const language::Statement& statement);

/// Those of the claim `id` in the user's file `paper`, or where that is empty in the ledger's texts; none where the
/// claim does not stand as text.
std::set<std::string> drawn_variables(const std::string& id, const std::string& paper);

}  // namespace attest::commands
