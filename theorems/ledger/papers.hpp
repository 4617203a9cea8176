// The papers whose statements the suite judges: the heads theorems/FOLDER/paper.attest.
#pragma once

#include <string>
#include <vector>

#include "theorems/language/papers/paper_file.hpp"

namespace attest::ledger {

/// What names a paper.
struct Paper {
  std::string key;  ///< the first part of its statements' ids
  std::string title, authors, link;
};

/// Those of the build, in the order of the lines `add_paper` in theorems/CMakeLists.txt. Errors:
/// language::PaperProblem.
const std::vector<Paper>& papers();

/// What a file says of itself.
Paper paper_of_file(const language::PaperFile& file, const std::string& key);

}  // namespace attest::ledger
