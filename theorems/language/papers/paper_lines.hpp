// The lines of a paper file: keys with their values, before they mean anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// `key value`, and what is indented deeper below.
struct PaperEntry {
  std::string key = {};
  std::string value = {};  ///< with line breaks where it continues; lines keep their indentation
  int indentation = 0;     ///< of the key
  Place place = {};        ///< of the key
  Place value_place = {};  ///< of the value's first character
};

/// All entries in their order. Errors: `PaperProblem`, in the name of `file`, for text that is empty or not UTF-8, tabs
std::vector<PaperEntry> paper_entries(std::string_view text, const std::string& file);

/// The value as prose: lines joined by spaces.
std::string as_prose(const std::string& value);

/// Where the place of a value stands in the file.
Place in_file(const PaperEntry& entry, Place within);

}  // namespace attest::language
