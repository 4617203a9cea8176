// The text of a statement as typed: checked, its signs spelt in ASCII, and the place of each of its characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// Longest text that is read, in bytes: a statement is a formula, not a file.
inline constexpr std::size_t longest_text = 65536;
/// Deepest nesting of brackets.
inline constexpr int deepest_brackets = 100;

/// The first byte that is not part of UTF-8; npos where the whole text is.
std::size_t first_malformed_byte(std::string_view text);

/// Greek letters by their names, and signs such as <= for one character, as ASCII; what has no spelling stays.
class SourceText {
 public:
  /// `begins` is the place of the first character. Errors: `Problem` for an empty, overlong or malformed text and for
  /// brackets nested too deeply.
  explicit SourceText(std::string_view text, Place begins = {1, 1});

  /// In ASCII but for characters that the language does not know.
  const std::string& plain() const { return plain_; }
  /// Line and column, in characters as typed, of a byte of `plain()`; its length gives the end of what is written.
  Place place(std::size_t at) const;

 private:
  void append(std::string_view spelling, Place place);
  std::string plain_;
  std::vector<Place> places_;  ///< one for each byte of plain_, and the end
};

}  // namespace attest::language
