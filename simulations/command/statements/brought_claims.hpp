// Claims that the user brings: papers written as text, and plug-ins.
#pragma once

#include <string>
#include <vector>

#include "theorems/engine/registry.hpp"
#include "theorems/ledger/papers.hpp"

namespace attest::commands {

struct BroughtClaims {
  engine::Claims suite;  ///< those of the user, then the built-in ones; empty where the user brings none
  std::vector<ledger::Paper> papers = {};  ///< the heads of the user's files
};

/// Takes the files PAPER.attest out of the patterns of `selection`, which from then on select their claims by id: all
/// of a file, or, where other patterns are ids, globs or labels of its claims, those alone. So do the claims of the
/// plug-ins where nothing else is selected. Errors: std::invalid_argument where a file cannot be read, a plug-in cannot
/// be used, or an id is taken.
BroughtClaims bring_claims(engine::Selection& selection, const std::vector<std::string>& plugins);

/// The same of patterns alone.
BroughtClaims bring_claims(std::vector<std::string>& patterns);

}  // namespace attest::commands
