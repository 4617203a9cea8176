// A paper as a text file: a head, then one block for each claim.
//
//   paper "Residual attention, revisited"
//   authors A. One, B. Two
//   link https://example.org/paper.pdf
//   licence CC BY 4.0
//
//   claim softmax-lipschitz
//     label Theorem 3.1
//     title Softmax halves distances
//     says forall n in 2..64, x, y in R^n:
//            norm(softmax(x) - softmax(y)) <= 1/2*norm(x - y)
//     expected supported
//
// One key a line; what is indented deeper than its key continues it; `#` begins a comment line. Values are plain text.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// A file that cannot be read as a paper. `what()` is one sentence: "my.attest, line 3, column 5: unknown key 'lable';
/// did you mean 'label'?"
class PaperProblem : public std::runtime_error {
 public:
  PaperProblem(const std::string& file, Place place, const std::string& sentence);
  Place place() const { return place_; }

 private:
  Place place_;
};

/// One block.
struct PaperClaim {
  std::string id = {};                        ///< letters, digits and . _ - /
  std::string label = {};                     ///< as in the paper: "Theorem 3.1"
  std::string title = {};                     ///< a few words
  std::string says = {};                      ///< the statement as written, with its line breaks
  Statement statement = {};                   ///< `says`, read
  std::vector<std::string> assumptions = {};  ///< `assumes`, in prose, one each
  std::string expected = {};                  ///< certified, supported, refuted or undecided; empty where not given
  std::string finding = {};                   ///< error, constant, assumption, slip, imprecise or unsupported, or empty
  std::string amends = {};                    ///< id of the claim that this one corrects or sharpens, or empty
  std::vector<std::string> depends_on = {};   ///< ids of the claims whose fall would bring this one down
  std::string note = {};                      ///< paragraphs, one per line
  std::string transcribed = {};               ///< digest of the text in the paper that `says` was taken from, or empty
  bool printed = true;                        ///< the paper's own wording; `printed no` for the file's author's
  Place place = {};                           ///< of the id
};

struct PaperFile {
  std::string title = {};
  std::string authors = {};
  std::string link = {};
  std::string licence = {};
  std::string note = {};
  std::vector<PaperClaim> claims = {};
};

/// Reads `text`; `file` is its name in messages. `known_elsewhere` are ids outside the file that `amends` and
/// `depends_on` may name. Errors: `PaperProblem` for text that is empty or not UTF-8, an unknown or repeated key, a
/// value that is none, a statement that cannot be read, a missing `says` or title, two claims with one id, an id that
/// nobody bears, and a circle of `depends_on`.
PaperFile read_paper(std::string_view text, const std::string& file, std::span<const std::string> known_elsewhere = {});

/// The same from disk. Errors: also std::runtime_error, naming the file, where it cannot be opened or read.
PaperFile read_paper_file(const std::filesystem::path& file, std::span<const std::string> known_elsewhere = {});

}  // namespace attest::language
