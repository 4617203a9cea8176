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

const std::vector<Text>& embedded_texts();

/// The heads of the papers, FOLDER/paper.attest.
const std::vector<Text>& embedded_heads();

}  // namespace attest::ledger
