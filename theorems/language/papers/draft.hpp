// From a paper's TeX source to the draft of its text file, and whether the file still says what the source says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/papers/paper_file.hpp"

namespace attest::language {

/// A paper file with one claim for each labelled environment: id and label from its label, the paper's words as
/// comments, `transcribed`, and a place to write what it says. It is not complete: each claim still wants its `says`.
std::string draft_of(std::string_view tex);

/// One claim whose source has moved away from it.
struct Drift {
  std::string id;
  int line = 0;          ///< of the claim in the paper file
  std::string sentence;  ///< "the label thm:lip is gone from the source"
};

/// The claims with `transcribed` whose label is gone from the source, or whose text there has changed.
std::vector<Drift> drift_between(std::string_view tex, const PaperFile& paper);

/// Labels of the source that no claim was transcribed from.
std::vector<std::string> not_transcribed(std::string_view tex, const PaperFile& paper);

}  // namespace attest::language
