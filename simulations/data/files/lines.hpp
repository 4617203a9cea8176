// Text files of records: one per line, fields between separators.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attest::data {

/// One line of a file, without its end (LF or CRLF), numbered from 1.
struct Line {
  std::size_t number = 0;
  std::string_view text;
};

/// The lines of `bytes` in turn; the views stay valid as long as the bytes do.
class LineReader {
 public:
  explicit LineReader(std::string_view bytes) : rest_(bytes) {}

  /// Goes to the next line; false after the last. A last line without an end counts.
  bool next(Line& line);
  /// Whether the line that `next` gave last had no end, as the last line of a truncated file.
  bool unfinished() const { return unfinished_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
  bool unfinished_ = false;
};

/// The fields of `text` between separators; one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// "FILE, line N", for messages.
std::string place_of(const std::string& name, std::size_t line);

/// At most 40 characters of `text` in double quotes, control and non-ASCII bytes as \xHH, for messages.
std::string cited(std::string_view text);

/// Throws MalformedData "PLACE: WHAT".
[[noreturn]] void refuse(const std::string& place, std::string_view what);

}  // namespace attest::data
