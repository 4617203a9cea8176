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
// A claim of several parts says each of them under a name, and may name changed statements that must fall or stand:
//
//     says [upper bound] ...
//     says [lower bound] ...
//     near_miss [upper bound: 0.49 for 1/2] replace 1/2 by 0.49
//                                                      (a name that begins with a part's belongs to that part)
//     near_hit [with the factor 2] ...
//
// One key per line; what is indented deeper than its key continues it; `#` begins a comment line. Values are plain
// text; in a title, an assumption or a note `{= 100*(1 - 3/4)}` is computed (computed_numbers.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// A file that cannot be read as a paper. `what()` is one sentence: "my.attest, line 3, column 5: unknown key 'lable';
/// did you mean label?"
class PaperProblem : public std::runtime_error {
 public:
  PaperProblem(const std::string& file, Place place, const std::string& sentence);
  Place place() const { return place_; }

 private:
  Place place_;
};

/// A statement under its name.
struct PaperStatement {
  std::string name = {};     ///< what stands in brackets before it, or empty
  std::string text = {};     ///< as written, with its line breaks; with its replacements made, in one line
  Statement statement = {};  ///< without a claim where it was not read yet, see `Statements`
};

/// Whether a changed statement of that name belongs to the part: "upper bound: 0.49 for 1/2" to "upper bound".
bool is_of_part(std::string_view name, std::string_view part);

/// One block.
struct PaperClaim {
  std::string id = {};                    ///< lower-case letters, digits and . - /
  std::string label = {};                 ///< as in the paper: "Theorem 3.1"
  std::string title = {};                 ///< a few words
  std::string kind = {};                  ///< a word of `engine::name(Kind)`, or empty: what the statement's form says
  std::vector<PaperStatement> says = {};  ///< at least one; several have distinct names, each a part
  std::vector<PaperStatement> near_misses = {};  ///< false by a little
  std::vector<PaperStatement> near_hits = {};    ///< of a claim that falls: weaker by a little, and true
  std::vector<std::string> assumptions = {};     ///< `assumes`, in prose, one each
  std::string expected = {};                     ///< certified, supported, refuted or undecided; empty where not given
  std::string finding = {};                  ///< error, constant, assumption, slip, imprecise or unsupported, or empty
  std::string amends = {};                   ///< id of the claim that this one corrects or sharpens, or empty
  std::vector<std::string> depends_on = {};  ///< ids of the claims whose fall would bring this one down
  std::string note = {};                     ///< paragraphs, one per line
  std::string transcribed = {};  ///< "LABEL sha256:DIGEST" of the paper's text that `says` was taken from, or empty
  bool printed = true;           ///< the paper's own wording; `printed no`, or `amends`, for the file's author's
  Place place = {};              ///< of the id
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
/// `depends_on` may name; nullopt where another check knows the ids. Errors: `PaperProblem` for text that is empty or
/// not UTF-8, an unknown or repeated key, a value that the key does not take, a statement that cannot be read or has no
/// name where it needs one, a missing `says` or title, two claims with one id, an id that no claim has, and a circle of
/// `depends_on`; a near-miss or near-hit that stands before `says` or whose replacements do not apply.
using KnownIds = std::optional<std::span<const std::string>>;
/// Whether statements are read at once, or kept as text until they are judged: those of texts that are known to be
/// sound, so that a short command does not wait for them.
enum class Statements : std::uint8_t { read, kept_as_text };
PaperFile read_paper(std::string_view text, const std::string& file,
                     const KnownIds& known_elsewhere = std::span<const std::string>{},
                     Statements statements = Statements::read);

/// The head alone; claims that follow are not read. Errors: as `read_paper` for the head.
PaperFile read_head(std::string_view text, const std::string& file);

/// Whether a line of `text` begins a claim.
bool holds_claims(std::string_view text);

/// The same as `read_paper` from disk. Errors: also files::UnreadableFile.
PaperFile read_paper_file(const std::filesystem::path& file,
                          const KnownIds& known_elsewhere = std::span<const std::string>{});

}  // namespace attest::language
