// Comma-separated values, RFC 4180.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest::data {

/// Records of fields; a field in double quotes may hold commas, line ends and doubled quotes.
class CsvReader {
 public:
  /// `name` stands for the file in messages.
  CsvReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  /// Goes to the next record and its first line's number; false after the last. Errors: MalformedData naming the line
  /// when a quotation has no end, or something else than a comma or a line end follows one, or a quote stands inside a
  /// field that does not begin with one.
  bool next(std::vector<std::string>& fields, std::size_t& line);

 private:
  std::string quoted_field(std::size_t start_line);
  std::string plain_field();

  std::string_view bytes_;
  std::string name_;
  std::size_t offset_ = 0;
  std::size_t line_ = 1;
};

}  // namespace attest::data
