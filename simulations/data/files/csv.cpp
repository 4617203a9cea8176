#include "simulations/data/files/csv.hpp"

#include <algorithm>

#include "simulations/data/files/lines.hpp"

namespace attest::data {

std::string CsvReader::quoted_field(std::size_t start_line) {
  std::string field;
  ++offset_;
  while (true) {
    const std::size_t quote = bytes_.find('"', offset_);
    if (quote == std::string_view::npos) {
      refuse(place_of(name_, start_line),
             "a quotation that begins in this record has no end; the file may be cut: fetch it again");
    }
    const std::string_view piece = bytes_.substr(offset_, quote - offset_);
    line_ += static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n'));
    field += piece;
    offset_ = quote + 1;
    if (offset_ >= bytes_.size() || bytes_[offset_] != '"') break;
    field += '"';
    ++offset_;
  }
  const bool ends = offset_ == bytes_.size() || bytes_[offset_] == ',' || bytes_[offset_] == '\n' ||
                    bytes_.substr(offset_, 2) == "\r\n";
  if (!ends) refuse(place_of(name_, line_), "text follows a closing quote; double the quotes inside a field");
  return field;
}

std::string CsvReader::plain_field() {
  const std::size_t end = std::min(bytes_.find_first_of(",\n", offset_), bytes_.size());
  std::string_view field = bytes_.substr(offset_, end - offset_);
  offset_ = end;
  const bool at_line_end = end == bytes_.size() || bytes_[end] == '\n';
  if (at_line_end && field.ends_with('\r')) field.remove_suffix(1);
  if (field.find('"') != std::string_view::npos)
    refuse(place_of(name_, line_), "a quote stands inside a field without quotes; put the field in quotes");
  return std::string(field);
}

bool CsvReader::next(std::vector<std::string>& fields, std::size_t& line) {
  fields.clear();
  line = line_;
  if (offset_ >= bytes_.size()) return false;
  while (true) {
    const bool in_quotes = offset_ < bytes_.size() && bytes_[offset_] == '"';
    fields.push_back(in_quotes ? quoted_field(line) : plain_field());
    if (bytes_.substr(offset_, 2) == "\r\n") ++offset_;
    if (offset_ == bytes_.size()) return true;
    if (bytes_[offset_++] == '\n') {
      ++line_;
      return true;
    }
  }
}

}  // namespace attest::data
