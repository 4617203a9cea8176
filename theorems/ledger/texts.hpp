// The ledger's text files, put into the program when it was built.
#pragma once

#include <string_view>
#include <vector>

namespace attest::ledger {

struct Text {
  std::string_view folder;  ///< "primal_dual"
  std::string_view stem;    ///< "eq_12"
  std::string_view text;
};

/// Those that hold claims, in the order of the suite.
const std::vector<Text>& embedded_texts();

/// Those that name a paper, FOLDER/paper.attest, in the order of the papers; they may hold claims, too.
const std::vector<Text>& embedded_heads();

}  // namespace attest::ledger
