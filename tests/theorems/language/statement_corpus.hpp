// Statements in every form of the language, for tests of reading, typesetting and damage.
#pragma once

#include <string>
#include <vector>

namespace attest::language {

/// As people type them: true and false ones, about scalars, vectors, matrices, attention, chance and limits.
const std::vector<std::string>& statement_corpus();

}  // namespace attest::language
