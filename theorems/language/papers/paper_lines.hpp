// The lines of a paper file: keys with their values, before they mean anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// The white space that a line begins with. Which of two lines is deeper must not depend on how wide a tab is shown:
/// `at_least` counts a tab as one column, `at_most` up to the next multiple of eight.
struct Indentation {
  int at_least = 0;
  int at_most = 0;
  bool operator==(const Indentation&) const = default;
  /// Deeper for tabs of any width. Neither deeper, nor equal, nor `other` deeper: it depends on the width.
  bool deeper_than(const Indentation& other) const { return at_least > other.at_least && at_most > other.at_most; }
  bool none() const { return at_least == 0; }
};

/// `key value`, and what is indented deeper below.
struct PaperEntry {
  std::string key = {};
  std::string value = {};        ///< with line breaks where it continues; lines keep their indentation
  Indentation indentation = {};  ///< of the key
  Place place = {};              ///< of the key
  Place value_place = {};        ///< of the value's first character
};

/// All entries in their order. Errors: `PaperProblem`, in the name of `file`, for text that is empty or not UTF-8, and
/// for a line indented by tabs below one indented by spaces (or the reverse) where the width of a tab would decide what
/// it belongs to.
std::vector<PaperEntry> paper_entries(std::string_view text, const std::string& file);

/// The value as prose: lines joined by spaces.
std::string as_prose(const std::string& value);

/// Where the place of a value stands in the file.
Place in_file(const PaperEntry& entry, Place within);

}  // namespace attest::language
