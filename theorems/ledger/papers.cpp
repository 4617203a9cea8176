#include "theorems/ledger/papers.hpp"

#include <filesystem>

#include "theorems/ledger/texts.hpp"
#include "theorems/ledger/typed_claims.hpp"

namespace attest::ledger {

Paper paper_of_file(const language::PaperFile& file, const std::string& key) {
  return {.key = key, .title = file.title, .authors = file.authors, .link = file.link};
}

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all = [] {
    std::vector<Paper> read;
    for (const Text& head : embedded_heads())
      read.push_back(
          paper_of_file(language::read_head(head.text, "theorems/" + std::string(head.folder) + "/paper.attest"),
                        paper_of(std::filesystem::path(head.folder))));
    return read;
  }();
  return all;
}

}  // namespace attest::ledger
